import type { SupportTokens } from '../api-keys/support-tokens.ts';
import { mayAct, type Act, type Role } from './roles.ts';

/**
 * What the owners of an account let support staff do there beyond the role itself.
 *
 * `payloads`: whether they may read what customers wrote. Without it, a key that can read it counts
 * as stronger than they are, no matter what `tokens` says.
 *
 * `error_texts`: whether they may read what receivers wrote in their responses, even without
 * `payloads`.
 */
export type SupportAccess = { tokens: SupportTokens; payloads: boolean; error_texts: boolean };

/** What decides a member's rights in an account: their role, and the account's support access. */
export type MemberRights = { role: Role; support: SupportAccess };

/** The rights that a session gives in its current account. */
export function memberRightsOf(session: {
  role: Role;
  account: { support: SupportAccess };
}): MemberRights {
  return { role: session.role, support: session.account.support };
}

/** What `payloads` adds to the role. */
const payloadActs: readonly Act[] = ['payloads.read', 'conversations.read', 'error-texts.read'];

/** Whether a member may do this in their account. */
export function memberMay({ role, support }: MemberRights, act: Act): boolean {
  if (mayAct(role, act)) return true;
  if (role !== 'support') return false;
  return (
    (support.payloads && payloadActs.includes(act)) ||
    (support.error_texts && act === 'error-texts.read')
  );
}
