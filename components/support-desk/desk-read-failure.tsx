import { ReadFailure, type ReadFailureProps } from '#components/shell/page/read-failure.tsx';
import { ApiError } from '#lib/api/api-error.ts';

import { DeskSessionEnded } from './desk-session-ended.tsx';

/** Explains why the requests could not be read. */
export function DeskReadFailure(props: Pick<ReadFailureProps, 'error' | 'isShown' | 'reading'>) {
  if (props.error instanceof ApiError && props.error.code === 'UNAUTHORIZED') {
    return <DeskSessionEnded />;
  }
  return <ReadFailure what="The requests" shown="them" noun="requests" {...props} />;
}
