import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { digestToken } from '../../../token.ts';
import { findPasswordHash, findPersonByEmail } from '../store/people.ts';
import { readSetting, writeSetting } from '../store/set-up.ts';

/** What an unattended first start makes: INIT_* as read. */
export type InitialValues = {
  email: string;
  password: string;
  accountName: string;
  apiKey: string | null;
};

const settingName = 'initial_values';

/** Keeps what the first start used, so that later ones can tell. The key as its digest; the password not at all. */
export async function rememberInitialValues(tx: Tx, used: InitialValues): Promise<void> {
  await writeSetting(tx, settingName, describe(used));
}

/** Whether an unattended first start made an account before, also one that is erased since. */
export async function hasInitialValues(db: Db | Tx): Promise<boolean> {
  return (await readSetting(db, settingName)) !== null;
}

/** Forgets what the first start used, if one of these people was its owner, but not that there was one. */
export async function forgetInitialValuesOf(tx: Tx, emails: readonly string[]): Promise<void> {
  const used = await readSetting(tx, settingName);
  if (used === null || !('email' in used) || !emails.includes(String(used.email))) return;
  await writeSetting(tx, settingName, {});
}

/**
 * The variables whose value is not the first start's. The password is compared with the person's
 * present one, since that is what whoever set the variable will try.
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
