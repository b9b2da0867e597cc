import type { Member } from '#lib/contract/people/members.ts';
import { countOf } from '#lib/count.ts';

/** A member's second factors in words; null: they have none. */
export function describeFactors({ passkeys, app }: Member['second_factor']): string | null {
  const counted = passkeys === 1 ? 'Passkey' : countOf(passkeys, 'passkey');
  if (passkeys > 0) return app ? `${counted} and app` : counted;
  return app ? 'Authenticator app' : null;
}
