import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type RotationRequestSummaryProps = {
  request: RotationRequest;
  /** The person who is signed in, who is called "you". */
  personId: string;
  form?: 'full' | 'short';
};

/** "Sam asked Ann to rotate it by 24 Nov 2026, 12:28 CET". */
export function RotationRequestSummary({
  request,
  personId,
  form = 'full',
}: RotationRequestSummaryProps) {
  const { member, requested_by: requester, expires_at: end } = request;
  return (
    <>
      {requester.id === personId ? 'You' : requester.name} asked{' '}
      {member.id === personId ? 'you' : member.name} to rotate it by{' '}
      <ExactTime form={form} value={end} />
    </>
  );
}
