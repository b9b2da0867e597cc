import type { Role } from '#lib/contract/rights/roles.ts';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { credentials } from '../../db/schema/people/credentials.ts';
import { members } from '../../db/schema/people/members.ts';
import { people } from '../../db/schema/people/people.ts';
import { installationSupport, supportVisits } from '../../db/schema/people/support.ts';
import { mintAccountId } from '../../domain/account-id.ts';
import type { AccountId } from '../../domain/account-id.ts';

/** Adds an account without members. */
export async function addAccount(ctx: Context, name = 'Marlow & Finch'): Promise<AccountId> {
  const id = mintAccountId(crypto.randomUUID());
  await ctx.db.insert(accounts).values({ id, name, createdAt: ctx.clock.now() });
  return id;
}

/** Adds a person. They can sign in if `passwordHash` comes from `auth.hashPassword`. */
export async function addPerson(
  ctx: Context,
  options: { name?: string; email?: string; passwordHash?: string } = {},
): Promise<{ id: string; name: string; email: string }> {
  const id = crypto.randomUUID();
  const { name = 'Ann', email = `${id}@example.com`, passwordHash = 'nobody signs in' } = options;
  const now = ctx.clock.now();
  await ctx.db.insert(people).values({ id, name, email, createdAt: now, updatedAt: now });
  await ctx.db.insert(credentials).values({ personId: id, passwordHash });
  return { id, name, email };
}

export async function addMember(
  ctx: Context,
  member: { accountId: AccountId; personId: string; role: Role },
): Promise<void> {
  await ctx.db.insert(members).values({ ...member, createdAt: ctx.clock.now() });
}

/** Makes a person support every account that allows it. */
export async function addSupporter(ctx: Context, personId: string): Promise<void> {
  await ctx.db.insert(installationSupport).values({ personId, addedAt: ctx.clock.now() });
}

/** Adds a visit, as if they had just given a reason to open the account in that session. */
export async function addVisit(
  ctx: Context,
  visit: { accountId: AccountId; personId: string; sessionId: string },
): Promise<void> {
  const openedAt = ctx.clock.now();
  const endsAt = new Date(openedAt.getTime() + 12 * hourMs);
  await ctx.db.insert(supportVisits).values({ ...visit, reason: 'Ticket 1', openedAt, endsAt });
}
