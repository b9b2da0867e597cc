import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { quoteName } from '../../quote-name.ts';
import { parseUuid } from '../../resource-reference.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession, currentSessionId } from '../sessions/find-session.ts';
import {
  deleteApp,
  deletePasskey,
  lockFactors,
  replaceRecoveryCodes,
} from '../store/second-factors.ts';
import { mailFactorChange } from './mail-factor-change.ts';
import { hasFactor, refuseIfRequired } from './required-factor.ts';

/** Removes the person's authenticator app, if any. @throws ServiceError as `removeFactor` */
export async function removeApp(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  await removeFactor(ctx, actor, {
    kind: 'app',
    sessionToken,
    async remove(tx) {
      return (await deleteApp(tx, actor.personId)) ? 'Your authenticator app' : null;
    },
  });
}

/** @throws ServiceError NOT_FOUND; those of `removeFactor` */
export async function removePasskey(
  ctx: Context,
  actor: PersonActor,
  { passkey, sessionToken }: { passkey: string; sessionToken: string },
): Promise<void> {
  const uuid = parseUuid(passkey);
  await removeFactor(ctx, actor, {
    kind: 'passkey',
    sessionToken,
    async remove(tx) {
      const removed = await deletePasskey(tx, { personId: actor.personId, uuid });
      if (!removed) throw notFound();
      return `The passkey ${quoteName(removed.name)}`;
    },
  });
}

/**
 * Removes a second factor with `remove`, which returns its name, or null if there is none. Removing
 * the last factor also removes the recovery codes.
 *
 * @throws ServiceError VALIDATION_ERROR if it is the last one and an account of the person requires
 *   one; UNAUTHORIZED if the session of the call ended in the meantime
 */
async function removeFactor(
  ctx: Context,
  actor: PersonActor,
  {
    kind,
    sessionToken,
    remove,
  }: {
    kind: 'app' | 'passkey';
    sessionToken: string;
    remove: (tx: Tx) => Promise<string | null>;
  },
): Promise<void> {
  const { personId, personName, email, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  const name = await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    const removed = await remove(tx);
    if (removed === null) return null;
    if (!(await hasFactor(tx, personId))) {
      await refuseIfRequired(tx, { personId, field: kind, now });
      await replaceRecoveryCodes(tx, { personId, digests: [], now });
    }
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.second_factor_removed',
      now,
      changes: { kind, name: removed },
    });
    return removed;
  });
  if (name === null) return;
  mailFactorChange(ctx, {
    email,
    subject: 'A second factor was removed',
    what: `${name} no longer confirms that it is you.`,
  });
}
