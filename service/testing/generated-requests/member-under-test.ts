import { and, eq, or } from 'drizzle-orm';
import { credentials } from '../../db/schema/people/credentials.ts';
import { members } from '../../db/schema/people/members.ts';
import { rotationRequests } from '../../db/schema/api-keys/rotation-requests.ts';
import { sessions } from '../../db/schema/people/sessions.ts';
import type { AccountId } from '../../domain/account-id.ts';
import type { TestAccount } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addMember, addPerson, addSupporter } from '../records/people.ts';
import { signInWithPassword } from '../sign-in.ts';

/** A person with two sessions, which `restore` brings back. They are also installation support. */
export type MemberUnderTest = {
  id: string;
  email: string;
  password: string;
  sessionToken: string;
  /** The id of the session that is not the one of `sessionToken`. */
  otherSessionId: string;
  /** Makes them an owner of this account only, with all daily limits unused. */
  join(account: TestAccount): Promise<void>;
  /**
   * Restores the membership, the password and both sessions, with fresh proofs. It does not hash
   * the password, which would take longer than a hundred requests.
   */
  restore(): Promise<void>;
};

export async function addMemberUnderTest(ctx: TestContext): Promise<MemberUnderTest> {
  const password = 'Ada and her password';
  const passwordHash = await ctx.auth.hashPassword(password);
  const { id, email } = await addPerson(ctx, { passwordHash });
  await addSupporter(ctx, id);
  const options = { email, password, ip: '203.0.113.7', userAgent: 'test' };
  const [own, other] = [
    await signInWithPassword(ctx.auth, options),
    await signInWithPassword(ctx.auth, options),
  ];
  if (!own || !other) throw new Error('nobody could sign in');
  const rows = await ctx.db.select().from(sessions).where(eq(sessions.personId, id));
  const otherRow = rows.find(({ digest }) => digest.equals(ctx.auth.digestOf(other.sessionToken)));
  let chosenAccountId: AccountId | null = null;

  async function restore(): Promise<void> {
    await ctx.db.update(credentials).set({ passwordHash }).where(eq(credentials.personId, id));
    await ctx.db.delete(sessions).where(eq(sessions.personId, id));
    const restored = { provedAt: ctx.clock.now(), chosenAccountId };
    if (chosenAccountId !== null) await become(chosenAccountId);
    await ctx.db.insert(sessions).values(rows.map((row) => ({ ...row, ...restored })));
  }

  /**
   * Makes them an owner of this account only, and reopens the requests that were withdrawn because
   * they just left. One that was withdrawn earlier stays so: its key may have another open request.
   */
  async function become(accountId: AccountId): Promise<void> {
    await ctx.db.delete(members).where(eq(members.personId, id));
    await addMember(ctx, { accountId, personId: id, role: 'owner' });
    await ctx.db
      .update(rotationRequests)
      .set({ state: 'open', closedAt: null, closedBy: null, closedBecause: null })
      .where(
        and(
          eq(rotationRequests.state, 'withdrawn'),
          eq(rotationRequests.closedAt, ctx.clock.now()),
          or(eq(rotationRequests.requestedById, id), eq(rotationRequests.memberId, id)),
        ),
      );
  }

  return {
    id,
    email,
    password,
    sessionToken: own.sessionToken,
    otherSessionId: otherRow?.id ?? '',
    async join(account) {
      await ctx.db.delete(rotationRequests).where(eq(rotationRequests.requestedById, id));
      chosenAccountId = account.id;
      await restore();
    },
    restore,
  };
}
