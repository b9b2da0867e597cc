import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { RequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type RequestSummaryProps = {
  request: RotationRequest;
  /** The person who is signed in, who is called "you". */
  personId: string;
  form?: 'full' | 'short';
};

/** "Sam asked Ann to rotate it by 24 Nov 2026, 12:28 CET". */
export function RequestSummary({ request, personId, form = 'full' }: RequestSummaryProps) {
  const { act, member, requested_by: requester, expires_at: end } = request;
  return (
    <>
      {requester.id === personId ? 'You' : requester.name} asked{' '}
      {member.id === personId ? 'you' : member.name} to {acts[act]} by{' '}
      <ExactTime form={form} value={end} />
    </>
  );
}

const acts: Record<RequestAct, string> = {
  rotate: 'rotate it',
  regenerate_secret: 'regenerate its secret',
  resume: 'resume it',
};
