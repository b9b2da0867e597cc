import { describeRequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/** Who was asked to do what, and whether by email; without a full stop. */
export function describeAskedMember({
  act,
  target,
  member,
  reason,
  mailed_at: mailedAt,
}: Pick<RotationRequest, 'act' | 'target' | 'member' | 'reason' | 'mailed_at'>): string {
  const later =
    reason === 'leaked'
      ? '; the email follows within an hour'
      : '; no email was sent, because the limit is 3 a day';
  const noEmail = mailedAt === null ? later : '';
  return `${member.name} was asked to ${describeRequestAct(act, target.name)}${noEmail}`;
}
