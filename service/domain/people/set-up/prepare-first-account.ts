import { email as emailField } from '#lib/contract/people/credentials.ts';
import { minuteMs } from '#lib/durations.ts';
import { findPasswordWeakness } from '../../../auth/password-weakness.ts';
import type { Context } from '../../../context.ts';
import { StartError } from '../../../start-error.ts';
import { runEffects } from '../../effects.ts';
import { digestLinkToken, newLinkToken } from '../links.ts';
import { createAccount } from '../members/create-account.ts';
import { operator } from '../members/operator/operator.ts';
import { nameFromEmail } from '../members/rules.ts';
import { hasPeople, insertPerson } from '../store/people.ts';
import { deleteSetUpTokens, lockFirstPerson, replaceSetUpToken } from '../store/set-up.ts';
import {
  compareInitialValues,
  hasInitialValues,
  storeInitialValues,
  type InitialValues,
} from './initial-values.ts';
import { setUpTokenMinutes } from './set-up-token.ts';

/** How the first person can sign in. */
export type FirstAccount = {
  /** The token of a new set-up link; null if there is a person already. */
  setUpToken: string | null;
  /** A sentence for the terminal. */
  message: string | null;
};

/**
 * Prepares the first sign-in: creates a set-up link while there is no person.
 *
 * With INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD, the first start creates the account and its owner
 * instead, once. Later starts only log which of these variables differ. If everyone has been
 * erased since, a set-up link is created again.
 *
 * @throws StartError if nobody could sign in with INIT_ADMIN_EMAIL, or INIT_ADMIN_PASSWORD is easy
 *   to guess
 */
export async function prepareFirstAccount(ctx: Context): Promise<FirstAccount> {
  const wanted = readInitialValues(ctx);
  if (await hasPeople(ctx.db)) {
    if (wanted) await warnOfDifferences(ctx, wanted);
    return { setUpToken: null, message: null };
  }
  if (wanted && (await hasInitialValues(ctx.db))) {
    ctx.log.warn(
      'INIT_ADMIN_EMAIL is used at the first start only. The account that was created then is erased; use the set-up link to create another.',
    );
  } else if (wanted) {
    const weakness = await findPasswordWeakness(wanted.password, [
      wanted.email,
      wanted.accountName,
    ]);
    if (weakness !== null)
      throw new StartError(`INIT_ADMIN_PASSWORD is too easy to guess. ${weakness}`);
    const isMade = await createInitialAccount(ctx, wanted);
    return { setUpToken: null, message: isMade ? describeCreated(wanted) : null };
  }
  return await mintSetUpToken(ctx);
}

function readInitialValues(ctx: Context): InitialValues | null {
  const { adminEmail, adminPassword, accountName, apiKey } = ctx.config.init;
  if (adminEmail === null || adminPassword === null) return null;
  const email = emailField.safeParse(adminEmail);
  if (!email.success) {
    throw new StartError(
      'Nobody can sign in with the email address in INIT_ADMIN_EMAIL. Set another one.',
    );
  }
  return {
    email: email.data,
    password: adminPassword,
    accountName: accountName ?? 'My account',
    apiKey,
  };
}

const replacesEarlier =
  'An earlier set-up link, printed by this process or another one, is no longer valid.';

/** The token is null if another process created the first person in the meantime. */
async function mintSetUpToken(ctx: Context): Promise<FirstAccount> {
  const token = newLinkToken();
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + setUpTokenMinutes * minuteMs);
  return await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    if (await hasPeople(tx)) return { setUpToken: null, message: null };
    const digest = digestLinkToken(token);
    const isReplaced = await replaceSetUpToken(tx, { digest, createdAt, expiresAt });
    return { setUpToken: token, message: isReplaced ? replacesEarlier : null };
  });
}

function describeCreated({ email, accountName, apiKey }: InitialValues): string {
  const created = `Created account "${accountName}". ${email} signs in with INIT_ADMIN_PASSWORD.`;
  return apiKey === null
    ? created
    : `${created} Rotate the API key "Initial key" once everything works.`;
}

async function warnOfDifferences(ctx: Context, wanted: InitialValues): Promise<void> {
  for (const variable of await compareInitialValues(ctx, wanted)) {
    ctx.log.warn(
      { variable },
      `${variable} is different from the value at the first start. It is used at the first start only and changes nothing now.`,
    );
  }
}

/**
 * Creates the first person, their account and, if one is given, its first API key, all or nothing.
 * False if there is already a person, or if an earlier start created an account that was deleted
 * and erased since: a restart never brings it back.
 */
async function createInitialAccount(ctx: Context, values: InitialValues): Promise<boolean> {
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
    if (apiKey !== null) {
      const created = { accountId, token: apiKey, by, now };
      await runEffects(tx, ctx.effects.accountCreatedWithKey, created);
    }
    await storeInitialValues(tx, values);
    await deleteSetUpTokens(tx);
    return true;
  });
}
