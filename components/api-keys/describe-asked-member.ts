import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/** Who was asked to rotate the key, and whether by email; without a full stop. */
export function describeAskedMember(
  { member, mailed_at: mailedAt }: Pick<RotationRequest, 'member' | 'mailed_at'>,
  apiKeyName: string,
): string {
  const noEmail = mailedAt === null ? '; no email was sent, because the limit is 3 a day' : '';
  return `${member.name} was asked to rotate ${apiKeyName}${noEmail}`;
}
