import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession } from '../sessions/find-session.ts';
import { deleteSessions, expireOtherProofs } from '../store/sessions.ts';
import { hasFactor } from './required-factor.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';

/**
 * Stores a second factor with `insert`. The person's factors must be locked in the same
 * transaction.
 *
 * The first factor also creates recovery codes, and ends the person's other sessions, which were
 * opened with a password alone. After a further factor, they need a new proof before sensitive
 * acts.
 *
 * @returns the recovery codes; null if there was a factor before
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function addFactor(
  tx: Tx,
  actor: PersonActor,
  {
    kind,
    name,
    sessionId,
    now,
    insert,
  }: {
    kind: 'app' | 'passkey';
    name: string;
    sessionId: string;
    now: Date;
    insert: () => Promise<void>;
  },
): Promise<string[] | null> {
  const { personId, personName, origin } = actor;
  await confirmSession(tx, { personId, sessionId });
  const isFirst = !(await hasFactor(tx, personId));
  await insert();
  const codes = isFirst ? await giveRecoveryCodes(tx, personId, now) : null;
  const endedSessions = isFirst ? await deleteSessions(tx, { personId, exceptId: sessionId }) : 0;
  await expireOtherProofs(tx, { personId, sessionId });
  await recordInAccounts(tx, {
    person: { id: personId, name: personName },
    origin,
    action: 'person.second_factor_added',
    now,
    changes: { kind, name, ended_sessions: endedSessions },
  });
  return codes;
}
