import type { Context } from '../../../context.ts';
import { importInitialKey } from '../../api-keys/import-initial-key.ts';
import { createAccount } from '../members/create-account.ts';
import { hasInitialValues, rememberInitialValues } from './initial-values.ts';
import type { InitialValues } from './initial-values.ts';
import { nameFromEmail } from '../members/name-from-email.ts';
import { operator } from '../members/operator/operator.ts';
import { hasPeople, insertPerson } from '../store/people.ts';
import { deleteSetUpTokens, lockFirstPerson } from '../store/set-up.ts';

/**
 * Creates the first person, their account and, if one is given, its first API key, all or nothing.
 * False if there is already a person, or if an earlier start created an account that was deleted
 * and erased since: a restart never brings it back.
 */
export async function createInitialAccount(ctx: Context, values: InitialValues): Promise<boolean> {
  const { email, password, accountName, apiKey } = values;
  const passwordHash = await ctx.auth.hashPassword(password);
  return await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    if ((await hasPeople(tx)) || (await hasInitialValues(tx))) return false;
    const now = ctx.clock.now();
    const owner = { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    await insertPerson(tx, { ...owner, passwordHash, now });
    const by = operator;
    const accountId = await createAccount(tx, { name: accountName, owner, by, origin: null, now });
    if (apiKey !== null) await importInitialKey(tx, { accountId, token: apiKey, by, now });
    await rememberInitialValues(tx, values);
    await deleteSetUpTokens(tx);
    return true;
  });
}
