import { Fragment } from 'react';

import { ExactTime } from '#components/ui/time.tsx';

/** What the service said about a new secret, its moments written in the reader's zone. */
export function ServiceWords({ children }: { children: string }) {
  return children.split(MOMENT).map((part, index) =>
    index % 2 === 1 ? (
      <strong key={index}>
        <ExactTime value={part} />
      </strong>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}

const MOMENT = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00)/;
