import type { Passkey } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { notFound } from '../../../errors.ts';
import { parseUuid } from '../../../resource-reference.ts';
import { recordInAccounts } from '../../record-in-accounts.ts';
import { listPasskeyRows, lockFactors, updatePasskey } from '../../store/second-factors.ts';
import { describePasskey } from './describe-passkey.ts';

/** Renames a passkey of the person. @throws ServiceError NOT_FOUND */
export async function renamePasskey(
  ctx: Context,
  { personId, personName, origin }: PersonActor,
  input: { passkey: string; name: string },
): Promise<Passkey> {
  const { name } = input;
  const uuid = parseUuid(input.passkey);
  return await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
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
