import type { Member } from '#lib/contract/people/members.ts';

/** A member's second factors in words; null: they have none. */
export function describeFactors({ passkeys, app }: Member['second_factor']): string | null {
  const counted = passkeys === 1 ? 'Passkey' : `${passkeys} passkeys`;
  if (passkeys > 0) return app ? `${counted} and app` : counted;
  return app ? 'Authenticator app' : null;
}
