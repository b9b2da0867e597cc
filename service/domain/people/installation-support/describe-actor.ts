import { roleTable } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { PersonActor } from '../../actor.ts';
import { plainName } from '../../quote-name.ts';
import { findVisitReason } from '../store/installation-support.ts';

/**
 * The facts of an email that say who did something: their name, address and role, and for
 * installation support also why they opened the account.
 *
 * @param label what the person did, such as "Reported by"
 */
export async function describeActor(
  tx: Tx,
  { accountId, personId, personName, email, role, installationSupport }: PersonActor,
  label: string,
): Promise<NonNullable<MailContent['facts']>> {
  const as = installationSupport ? 'installation support' : roleTable[role].label;
  const who = [label, `${plainName(personName)} (${email}, ${as})`] as const;
  if (!installationSupport) return [who];
  const reason = await findVisitReason(tx, accountId, personId);
  return reason === null ? [who] : [who, ['Opened the account for', plainName(reason)]];
}
