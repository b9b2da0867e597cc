import { eq, inArray } from 'drizzle-orm';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { credentials } from '../../db/schema/people/credentials.ts';
import { members } from '../../db/schema/people/members.ts';
import { provisioners } from '../../db/schema/people/provisioners.ts';
import { people } from '../../db/schema/people/people.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../db/schema/people/second-factors.ts';
import { sessions } from '../../db/schema/people/sessions.ts';
import { supportVisits } from '../../db/schema/people/support.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { digestToken, newProvisionerToken, newToken } from '../../tokens/token.ts';
import { TestApi } from '../api.ts';
import type { TestAccount } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addAccount, addMember, addPerson, addSupporter, addVisit } from '../records/people.ts';
import { addSessionsById } from '../sessions.ts';

/** People in front of the dashboard, on a page of the same account if not said otherwise. */
export const personNames = [
  'owner',
  'admin',
  'support',
  'viewer',
  'installation support with a reason',
  'installation support without a reason',
  'installation support where it is switched off',
  'owner of another account',
  'person of no account',
  'nobody signed in',
  'someone whose session ended',
  'someone whose session is a week old',
  'owner whose session is older than the account allows',
  'owner whose session token was replaced',
  'owner whose proof is half an hour old',
  'owner who lacks the required second factor',
  'owner of an account that is being deleted',
  'admin of an account that is being deleted',
] as const;

/** Programs with a key of the account. There is one for each scope of the contract. */
export const keyNames = [
  'full API key',
  ...allScopes.map((scope) => `API key for ${scope}` as const),
  'API key without scopes',
  'replaced token of a full API key',
  'ended token of a full API key',
  'revoked API key',
  'expired API key',
  'API key outside of its networks',
  'API key that nobody made',
  'provisioner',
  'provisioner that expired',
  'anyone without a credential',
] as const;

/** Anyone who may ask something of a service. */
export const askerNames = [...personNames, ...keyNames];

export type AskerName = (typeof askerNames)[number];

export type Asker = {
  name: string;
  /**
   * The person's id. For askers who are nobody it is the owner's, so that their requests name
   * existing things.
   */
  personId: string;
  email: string;
  /** The account whose pages they use. */
  accountId: AccountId;
  /** The value of `Authorization`; null for none. */
  token: string | null;
  /** The value of `X-Dashboard-Session`, often a session of `withSessionsById`; null for none. */
  session: string | null;
  /** Whether they ask in the account that has the things, with some rights in it. */
  isHere: boolean;
};

export const accountName = 'Marlow & Finch';
export const password = 'correct horse battery';
/** The id of the provisioner that has not expired. */
export const provisionerOfAskers = '6f9c1c52-54cb-4a55-9b0d-0e3a7ad15d10';

export type Askers = {
  all: readonly (Asker & { name: AskerName })[];
  /**
   * A key of another account, an owner of that account, and a person who owns both accounts, on a
   * page of the other one.
   */
  strangers: { key: Asker; owner: Asker; ownerOfBoth: Asker };
  /** Restores all people and accounts, as far as an act can change them. */
  restore(): Promise<void>;
};

/** Everyone who can ask, each a different person, with everything that makes them who they are. */
export async function addAskers(ctx: TestContext, account: TestAccount): Promise<Askers> {
  const passwordHash = await ctx.auth.hashPassword(password);
  const keys = await addKeys(ctx, account);
  const now = ctx.clock.now();
  const token = ctx.dashboardCredential;

  const [closed, strict, hasty, deleted] = [
    await addAccount(ctx, accountName),
    await addAccount(ctx, accountName),
    await addAccount(ctx, accountName),
    await addAccount(ctx, accountName),
  ];
  const elsewhere = await new TestApi(ctx).account();
  const { personId: ownerElsewhere } = await elsewhere.member('owner');
  const ownerOfBoth = (await addPerson(ctx)).id;
  for (const { id: accountId } of [account, elsewhere]) {
    await addMember(ctx, { accountId, personId: ownerOfBoth, role: 'owner' });
  }
  const made = new Map<string, Asker>();
  const openedSessions: (typeof sessions.$inferSelect)[] = [];

  /** A person with a password and a session, whose rights in the account come from the caller. */
  async function person<Name extends AskerName>(name: Name, accountId: AccountId, isHere = false) {
    const { id, email } = await addPerson(ctx, { name: `Ida, ${name}`, passwordHash });
    const asker = { name, personId: id, email, accountId, token, session: id, isHere };
    made.set(name, asker);
    return asker;
  }

  async function member<Name extends AskerName>(name: Name, accountId: AccountId, role: Role) {
    const asker = await person(name, accountId, accountId === account.id);
    // Their rights in another account, which they joined first, must never count.
    const roleThere = role === 'owner' ? 'viewer' : 'owner';
    const createdAt = new Date(now.getTime() - 1000);
    const there = await addAccount(ctx, 'Joined first');
    const { personId } = asker;
    await ctx.db.insert(members).values({ accountId: there, personId, role: roleThere, createdAt });
    await addMember(ctx, { accountId, personId, role });
    return asker;
  }

  async function supporter<Name extends AskerName>(name: Name, accountId: AccountId) {
    const asker = await person(name, accountId, accountId === account.id);
    await addSupporter(ctx, asker.personId);
    return asker;
  }

  /** The asker, signed in with a session that `change` makes special; null if it ended. */
  async function inSession<Who extends Asker>(
    asker: Who,
    change: ((sessionToken: string) => Partial<typeof sessions.$inferSelect>) | null,
  ): Promise<Who> {
    const { personId } = asker;
    const { sessionToken } = await ctx.auth.openSession({ personId, ip: '', userAgent: null });
    const [row] = await ctx.db.select().from(sessions).where(eq(sessions.personId, personId));
    if (row && change) openedSessions.push({ ...row, ...change(sessionToken) });
    return { ...asker, session: sessionToken };
  }

  const hasEnded = <Who extends Asker>(asker: Who): Who => ({ ...asker, isHere: false });

  const owner = await inSession(await member('owner', account.id, 'owner'), () => ({
    provedAt: new Date(now.getTime() - 30 * minuteMs + 1),
  }));
  const ofKey = <Name extends AskerName>(name: Name, key: string | null) =>
    ({ ...owner, name, token: key, session: null, isHere: false }) as const;
  const all: Askers['all'] = [
    owner,
    await member('admin', account.id, 'admin'),
    await member('support', account.id, 'support'),
    await member('viewer', account.id, 'viewer'),
    await supporter('installation support with a reason', account.id),
    await supporter('installation support without a reason', account.id),
    await supporter('installation support where it is switched off', closed),
    {
      ...(await member('owner of another account', elsewhere.id, 'owner')),
      accountId: account.id,
    },
    await person('person of no account', account.id),
    ofKey('nobody signed in', token),
    hasEnded(
      await inSession(await member('someone whose session ended', account.id, 'owner'), null),
    ),
    await inSession(await person('someone whose session is a week old', account.id), () => ({
      createdAt: new Date(now.getTime() - 7 * dayMs),
    })),
    await inSession(
      await member('owner whose session is older than the account allows', hasty, 'owner'),
      () => ({ createdAt: new Date(now.getTime() - hourMs) }),
    ),
    await inSession(
      await member('owner whose session token was replaced', account.id, 'owner'),
      (sessionToken) => ({
        digest: ctx.auth.digestOf(
          ctx.auth.successorOf({ sessionToken, createdAt: now }).sessionToken,
        ),
        previousValidUntil: new Date(now.getTime() + 1),
      }),
    ),
    await inSession(
      await member('owner whose proof is half an hour old', account.id, 'owner'),
      () => ({ provedAt: new Date(now.getTime() - 30 * minuteMs) }),
    ),
    await member('owner who lacks the required second factor', strict, 'owner'),
    await member('owner of an account that is being deleted', deleted, 'owner'),
    await member('admin of an account that is being deleted', deleted, 'admin'),
    ...keys.map(([name, key]) => ofKey(name, key)),
    ofKey('anyone without a credential', null),
  ];
  // So that no asker is the last owner of an account.
  for (const accountId of [strict, hasty, deleted, elsewhere.id]) {
    const { id: personId } = await addPerson(ctx);
    await addMember(ctx, { accountId, personId, role: 'owner' });
  }
  const ids = [...made.values()].map(({ personId }) => personId);
  const memberships = await ctx.db.select().from(members).where(inArray(members.personId, ids));

  async function restoreAccounts(): Promise<void> {
    const asMade = { name: accountName, deletedAt: null, secondFactorRequiredFrom: null };
    const set = async (id: AccountId, values: Partial<typeof accounts.$inferInsert>) =>
      await ctx.db
        .update(accounts)
        .set({ ...asMade, allowsInstallationSupport: true, ...values })
        .where(eq(accounts.id, id));
    await set(account.id, {});
    await set(closed, { allowsInstallationSupport: false });
    await set(strict, { secondFactorRequiredFrom: now });
    await set(hasty, { sessionHours: 1 });
    await set(deleted, { deletedAt: now });
  }

  async function restorePeople(): Promise<void> {
    await ctx.db
      .update(credentials)
      .set({ passwordHash })
      .where(inArray(credentials.personId, ids));
    const verified = { isUnverified: false };
    await ctx.db.update(people).set(verified).where(inArray(people.id, ids));
    for (const factors of [authenticatorApps, passkeys, recoveryCodes]) {
      await ctx.db.delete(factors).where(inArray(factors.personId, ids));
    }
    await ctx.db.delete(members).where(inArray(members.personId, ids));
    await ctx.db.insert(members).values(memberships);
    await ctx.db.delete(sessions).where(inArray(sessions.personId, ids));
    await ctx.db.insert(sessions).values(openedSessions);
    await addSessionsById(ctx, [...ids, ownerElsewhere, ownerOfBoth]);
  }

  /** Begins visits again, because a visit ends with its session. */
  async function restoreVisits(): Promise<void> {
    await ctx.db.delete(supportVisits).where(inArray(supportVisits.personId, ids));
    for (const name of [
      'installation support with a reason',
      'installation support where it is switched off',
    ] as const) {
      const visitor = made.get(name);
      if (!visitor) throw new Error(`nobody is ${name}`);
      const { accountId, personId } = visitor;
      await addVisit(ctx, { accountId, personId, sessionId: personId });
    }
  }

  async function restore(): Promise<void> {
    await restoreAccounts();
    await restorePeople();
    await restoreVisits();
  }
  await restore();
  const { token: keyThere } = await elsewhere.key();
  const stranger = { ...owner, name: 'owner of another account on its page' };
  const onPageElsewhere = { ...stranger, accountId: elsewhere.id };
  const strangers = {
    key: { ...stranger, name: 'API key of another account', token: keyThere, session: null },
    owner: { ...onPageElsewhere, session: ownerElsewhere },
    ownerOfBoth: { ...onPageElsewhere, name: 'owner of both on its page', session: ownerOfBoth },
  };
  return { all, strangers, restore };
}

/** A key of each kind, with its token. */
async function addKeys(ctx: TestContext, account: TestAccount) {
  const api = new TestApi(ctx);
  const full = async () => (await account.key()).token;
  const rotated = async (graceSeconds: number) => {
    const { id, token } = await account.key();
    const body = { grace_period_seconds: graceSeconds };
    await api.as(await full()).post(`/api/v1/api-keys/${id}/rotate`, body);
    return token;
  };
  const revoked = await account.key();
  await api.as(await full()).delete(`/api/v1/api-keys/${revoked.id}`);
  const bare = await account.key({ scopes: ['webhooks:read'] });
  await ctx.db.update(apiKeys).set({ scopes: [] }).where(eq(apiKeys.id, bare.id));
  const expired = await account.key({ expiresAt: ctx.clock.apiTime(1) });
  ctx.clock.advance(1);
  const elsewhere = await account.key({ allowedCidrs: ['192.0.2.0/24'] });
  const provisioner = async (id: string, validMs: number) => {
    const token = newProvisionerToken();
    const createdAt = ctx.clock.now();
    const expiresAt = new Date(createdAt.getTime() + validMs);
    const row = { id, name: id, digest: digestToken(token), createdAt, expiresAt };
    await ctx.db.insert(provisioners).values(row);
    return token;
  };
  const keys: [Exclude<(typeof keyNames)[number], 'anyone without a credential'>, string][] = [
    ['full API key', await full()],
    ['API key without scopes', bare.token],
    ['replaced token of a full API key', await rotated(3600)],
    ['ended token of a full API key', await rotated(0)],
    ['revoked API key', revoked.token],
    ['expired API key', expired.token],
    ['API key outside of its networks', elsewhere.token],
    ['API key that nobody made', newToken()],
    ['provisioner', await provisioner(provisionerOfAskers, dayMs)],
    ['provisioner that expired', await provisioner(crypto.randomUUID(), 0)],
  ];
  for (const scope of allScopes) {
    keys.push([`API key for ${scope}`, (await account.key({ scopes: [scope] })).token]);
  }
  return keys;
}
