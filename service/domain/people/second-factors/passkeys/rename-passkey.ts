import type { Passkey } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { notFound } from '../../../errors.ts';
import { parseUuid } from '../../../resource-reference.ts';
import { recordInAccounts } from '../../record-in-accounts.ts';
import { confirmSession } from '../../sessions/confirm-session.ts';
import { currentSessionId } from '../../sessions/current-session-id.ts';
import { listPasskeyRows, lockFactors, updatePasskey } from '../../store/second-factors.ts';
import { describePasskey } from './describe-passkey.ts';

/**
 * Renames a passkey of the person.
 *
 * @throws ServiceError NOT_FOUND; UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function renamePasskey(
  ctx: Context,
  { personId, personName, origin }: PersonActor,
  input: { passkey: string; name: string; sessionToken: string },
): Promise<Passkey> {
  const { name } = input;
  const uuid = parseUuid(input.passkey);
  const sessionId = await currentSessionId(ctx, input.sessionToken);
  return await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const before = (await listPasskeyRows(tx, personId)).find((passkey) => passkey.uuid === uuid);
    const row = before && (await updatePasskey(tx, before, { name }));
    if (!row) throw notFound();
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.second_factor_renamed',
      now: ctx.clock.now(),
      changes: { kind: 'passkey', name, previous_name: before.name },
    });
    return describePasskey(row);
  });
}
