import { ReadFailure, type ReadFailureProps } from '#components/shell/page/read-failure.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { DeskSessionEnded } from './desk-session-ended.tsx';

type DeskReadFailureProps = Pick<ReadFailureProps, 'read'> &
  Partial<Pick<ReadFailureProps, 'what' | 'shown'>>;

/** Explains why the requests, or other data of the desk, could not be read. */
export function DeskReadFailure({
  what = 'The requests',
  shown = 'them',
  read,
}: DeskReadFailureProps) {
  if (read.error instanceof ApiError && read.error.code === 'UNAUTHORIZED') {
    return <DeskSessionEnded />;
  }
  return <ReadFailure what={what} shown={shown} noun="requests" read={read} />;
}
