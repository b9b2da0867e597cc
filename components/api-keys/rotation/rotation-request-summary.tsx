import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type RotationRequestSummaryProps = {
  request: RotationRequest;
  /** The person who is signed in, who is called "you". */
  personId: string;
  form?: 'full' | 'short';
};

/** "Rotation requested from Ann by Sam, until 24 Nov 2026, 12:28 CET". */
export function RotationRequestSummary({
  request,
  personId,
  form = 'full',
}: RotationRequestSummaryProps) {
  const { member, requested_by: requester, expires_at: end } = request;
  const nameOf = ({ id, name }: RotationRequest['member']) => (id === personId ? 'you' : name);
  return (
    <>
      Rotation requested from {nameOf(member)} by {nameOf(requester)}, until{' '}
      <ExactTime form={form} value={end} />
    </>
  );
}
