import { Fragment, type ReactNode } from 'react';

import { ExactTime } from '#components/ui/data-display/time.tsx';

import { readAsDates } from './read-as-dates.ts';

const timestamp = /(\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}:\d{2})/;
const uuidPattern = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/;

/** A message of the service, with its timestamps shown in the reader's time zone. */
export function ServiceText({ text }: { text: string }): ReactNode {
  return readAsDates(text)
    .split(timestamp)
    .map((part, index) =>
      index % 2 === 1 ? (
        <strong key={index} className="font-medium text-ink">
          <ExactTime value={part} />
        </strong>
      ) : (
        <Fragment key={index}>{withIds(part)}</Fragment>
      ),
    );
}

function withIds(text: string): ReactNode {
  return text.split(uuidPattern).map((part, index) =>
    index % 2 === 1 ? (
      <span translate="no" key={index} className="code break-all">
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}

/** All timestamps in a message, as the API writes them: in UTC, so they sort as text. */
export function timesInText(text: string): string[] {
  return text.match(new RegExp(timestamp, 'g')) ?? [];
}
