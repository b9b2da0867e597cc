import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { digestToken } from '../../../tokens/token.ts';
import { findPasswordHash, findPersonByEmail } from '../store/people.ts';
import { readSetting, writeSetting } from '../store/set-up.ts';

/** The values for an unattended first start, from the INIT_* variables. */
export type InitialValues = {
  email: string;
  password: string;
  accountName: string;
  apiKey: string | null;
};

const settingName = 'initial_values';

/** Stores what the first start used, to compare later: the key as a digest, no password. */
export async function storeInitialValues(tx: Tx, used: InitialValues): Promise<void> {
  await writeSetting(tx, settingName, describe(used));
}

/** Whether an unattended first start created an account, even if that account is erased since. */
export async function hasInitialValues(db: Db | Tx): Promise<boolean> {
  return (await readSetting(db, settingName)) !== null;
}

/** If one of these people was the first owner, forgets its values, but not that it happened. */
export async function deleteInitialValuesOf(tx: Tx, emails: readonly string[]): Promise<void> {
  const used = await readSetting(tx, settingName);
  if (used === null || !('email' in used) || !emails.includes(String(used.email))) return;
  await writeSetting(tx, settingName, {});
}

/**
 * The variables whose values differ from those of the first start. The password is compared with
 * the person's present one, because the person who set the variable will try to sign in with it.
 */
export async function compareInitialValues(ctx: Context, wanted: InitialValues): Promise<string[]> {
  const used = (await readSetting(ctx.db, settingName)) ?? {};
  const present = describe(wanted);
  const differs = (part: keyof typeof present) =>
    (part in used ? Reflect.get(used, part) : null) !== present[part];
  return [
    ...(differs('email') ? ['INIT_ADMIN_EMAIL'] : []),
    ...((await isPasswordOf(ctx, wanted)) ? [] : ['INIT_ADMIN_PASSWORD']),
    ...(differs('account_name') ? ['INIT_ACCOUNT_NAME'] : []),
    ...(present.api_key !== null && differs('api_key') ? ['INIT_API_KEY'] : []),
  ];
}

function describe({ email, accountName, apiKey }: InitialValues) {
  return {
    email,
    account_name: accountName,
    api_key: apiKey === null ? null : digestToken(apiKey).toString('base64'),
  };
}

async function isPasswordOf(ctx: Context, { email, password }: InitialValues): Promise<boolean> {
  const person = await findPersonByEmail(ctx.db, email);
  const hash = person && (await findPasswordHash(ctx.db, person.id));
  return hash ? await ctx.auth.verifyPassword({ hash, password }) : false;
}
