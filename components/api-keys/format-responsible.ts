import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

/** Who is responsible for a key, in words: “Maria”, or “Nobody (Maria left)”. */
export function formatResponsible({
  name,
  is_member: isMember,
}: NonNullable<ApiKey['responsible']>): string {
  return isMember ? name : `Nobody (${name} left)`;
}
