import type { Passkey } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { updatePasskey } from '../store/second-factors.ts';
import { describePasskey } from './describe-passkey.ts';

/** @throws ServiceError NOT_FOUND */
export async function renamePasskey(
  ctx: Context,
  { personId }: PersonActor,
  about: { passkey: string; name: string },
): Promise<Passkey> {
  const { name } = about;
  const reference = parseResourceReference(about.passkey);
  if (reference?.kind !== 'uuid') throw notFound();
  const { uuid } = reference;
  const row = await ctx.db.transaction((tx) => updatePasskey(tx, { personId, uuid }, { name }));
  if (!row) throw notFound();
  return describePasskey(row);
}
