import { eq, inArray } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { credentials } from '../../db/schema/people/credentials.ts';
import { members } from '../../db/schema/people/members.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../db/schema/people/second-factors.ts';
import { supportVisits } from '../../db/schema/people/support.ts';
import type { AccountId } from '../../domain/account-id.ts';
import type { TestAccount } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addAccount, addMember, addPerson, addSupporter, addVisit } from '../records/people.ts';
import { addSessionsById } from '../sessions.ts';

/** Whoever may ask something of a service, from a page of the same account if not said otherwise. */
export const askerNames = [
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
  'somebody whose session ended',
  'full API key',
  'anybody without a credential',
  'owner who lacks the required second factor',
  'owner of an account that is being deleted',
  'admin of an account that is being deleted',
] as const;

export type AskerName = (typeof askerNames)[number];

export type Asker = {
  name: AskerName;
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
  /** The value of `X-Dashboard-Session`, a session of `withSessionsById`; null for none. */
  session: string | null;
  /** Whether they ask in the account that has the things, with some rights in it. */
  isHere: boolean;
};

export const accountName = 'Marlow & Finch';
export const password = 'correct horse battery';

export type Askers = {
  all: readonly Asker[];
  /** Restores all people and accounts, as far as an act can change them. */
  restore(): Promise<void>;
};

/** Everybody who can ask, each a different person, with everything that makes them who they are. */
export async function addAskers(ctx: TestContext, account: TestAccount): Promise<Askers> {
  const passwordHash = await ctx.auth.hashPassword(password);
  const now = ctx.clock.now();
  const { dashboardCredential } = ctx;

  const [closed, strict, deleted, other] = [
    await addAccount(ctx, accountName),
    await addAccount(ctx, accountName),
    await addAccount(ctx, accountName),
    await addAccount(ctx, 'Elsewhere'),
  ];

  /** A person with a password and a session, whose rights in the account come from the caller. */
  async function person(name: AskerName, accountId: AccountId, isHere = false): Promise<Asker> {
    const { id, email } = await addPerson(ctx, { name: `Ida, ${name}`, passwordHash });
    const token = dashboardCredential;
    return { name, personId: id, email, accountId, token, session: id, isHere };
  }

  async function member(name: AskerName, accountId: AccountId, role: Role): Promise<Asker> {
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

  async function supporter(name: AskerName, accountId: AccountId): Promise<Asker> {
    const asker = await person(name, accountId, accountId === account.id);
    await addSupporter(ctx, asker.personId);
    return asker;
  }

  const owner = await member('owner', account.id, 'owner');
  const { token: key } = await account.key({ name: 'Asks' });
  const all: Asker[] = [
    owner,
    await member('admin', account.id, 'admin'),
    await member('support', account.id, 'support'),
    await member('viewer', account.id, 'viewer'),
    await supporter('installation support with a reason', account.id),
    await supporter('installation support without a reason', account.id),
    await supporter('installation support where it is switched off', closed),
    { ...(await member('owner of another account', other, 'owner')), accountId: account.id },
    await person('person of no account', account.id),
    { ...owner, name: 'nobody signed in', session: null, isHere: false },
    {
      ...owner,
      name: 'somebody whose session ended',
      session: crypto.randomUUID(),
      isHere: false,
    },
    { ...owner, name: 'full API key', token: key, session: null, isHere: false },
    { ...owner, name: 'anybody without a credential', token: null, session: null, isHere: false },
    await member('owner who lacks the required second factor', strict, 'owner'),
    await member('owner of an account that is being deleted', deleted, 'owner'),
    await member('admin of an account that is being deleted', deleted, 'admin'),
  ];
  // So that no asker is the last owner of an account.
  for (const accountId of [strict, deleted]) {
    const { id: personId } = await addPerson(ctx);
    await addMember(ctx, { accountId, personId, role: 'owner' });
  }
  const people = new Map(
    all.filter(({ session, personId }) => session === personId).map((each) => [each.name, each]),
  );
  const ids = [...people.values()].map(({ personId }) => personId);
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
    await set(deleted, { deletedAt: now });
  }

  async function restorePeople(): Promise<void> {
    await ctx.db
      .update(credentials)
      .set({ password: passwordHash })
      .where(inArray(credentials.userId, ids));
    for (const factors of [authenticatorApps, passkeys, recoveryCodes]) {
      await ctx.db.delete(factors).where(inArray(factors.personId, ids));
    }
    await ctx.db.delete(members).where(inArray(members.personId, ids));
    await ctx.db.insert(members).values(memberships);
    await addSessionsById(ctx, ids);
  }

  /** Begins visits again, because a visit ends with its session. */
  async function restoreVisits(): Promise<void> {
    await ctx.db.delete(supportVisits).where(inArray(supportVisits.personId, ids));
    for (const name of [
      'installation support with a reason',
      'installation support where it is switched off',
    ] as const) {
      const visitor = people.get(name);
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
  return { all, restore };
}
