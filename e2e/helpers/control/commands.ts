import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { roles } from '#lib/contract/roles.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { hashPassword } from '#service/auth/password.ts';
import type { Context } from '#service/context.ts';
import { accounts } from '#service/db/schema/people/accounts.ts';
import { apiKeyTokens } from '#service/db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '#service/db/schema/api-keys/api-keys.ts';
import { credentials } from '#service/db/schema/people/credentials.ts';
import { people } from '#service/db/schema/people/people.ts';
import { sessions } from '#service/db/schema/people/sessions.ts';
import { importInitialKey } from '#service/domain/api-keys/import-initial-key.ts';
import { addSupportAsOperator } from '#service/domain/people/installation-support/add-support-as-operator.ts';
import { addMemberAsOperator } from '#service/domain/people/members/operator/add-member-as-operator.ts';
import { createAccountAsOperator } from '#service/domain/people/members/operator/create-account-as-operator.ts';
import { operator } from '#service/domain/people/members/operator/operator.ts';
import type { OperatorContext } from '#service/domain/people/members/operator/operator.ts';
import { addManyAccounts } from '#service/testing/records/many-accounts.ts';
import type { ChangeableSettings, Control } from './control.ts';
import type { MovableClock } from './movable-clock.ts';
import type { ResettableLimiter } from './resettable-limiter.ts';

type ControlledContext = Context & { clock: MovableClock; limiter: ResettableLimiter };

const sessionLastsMs = 12 * hourMs;

/** The commands that the suite can run on this service. */
export function commandsFor(ctx: ControlledContext): Control {
  const usual: Required<ChangeableSettings> = {
    logLevel: ctx.log.level,
    webhookAllowHttp: ctx.config.webhookAllowHttp,
  };
  const hashes = new Map<string, Promise<string>>();

  /**
   * Operator commands choose a password and hash it. Here the suite chose it, and it is hashed only
   * once.
   */
  function operatorWith(password: string): OperatorContext {
    const hash = hashes.get(password) ?? hashPassword(password);
    hashes.set(password, hash);
    return { ...ctx, auth: { hashPassword: () => hash } };
  }

  function change({ logLevel, webhookAllowHttp }: ChangeableSettings): void {
    if (logLevel !== undefined) ctx.log.level = logLevel;
    if (webhookAllowHttp !== undefined) ctx.config.webhookAllowHttp = webhookAllowHttp;
  }

  return {
    async addAccount({ name, email, password, token }) {
      const made = await createAccountAsOperator(operatorWith(password), { name, email });
      const { accountId } = made;
      if (token !== undefined) {
        const now = ctx.clock.now();
        await ctx.db.transaction((tx) =>
          importInitialKey(tx, { accountId, token, by: operator, now }),
        );
      }
      return accountId;
    },

    async addMember({ accountId, email, password, role: wanted }) {
      const role = roles.find((known) => known === wanted);
      if (role === undefined) throw new Error(`there is no role ${wanted}`);
      const member = { account: accountId, email, role };
      const { kind } = await addMemberAsOperator(operatorWith(password), member);
      if (!['added', 'changed', 'unchanged'].includes(kind)) throw new Error(kind);
    },

    async addSupporter({ email, password }) {
      await addSupportAsOperator(operatorWith(password), email);
    },

    addManyAccounts: async ({ count, marker }) =>
      await addManyAccounts(ctx, {
        accounts: count,
        of: { keys: 2, webhooks: 1, people: 1 },
        marker,
      }),

    async addRevokedKeys({ accountId, names }) {
      const by = { kind: 'system', id: null, name: 'Suite' } as const;
      const now = ctx.clock.now().getTime();
      const at = (index: number) => new Date(now - (names.length - index) * 1000);
      const made = await ctx.db
        .insert(apiKeys)
        .values(
          names.map((name, index) => ({
            accountId,
            name,
            type: 'bot' as const,
            createdAt: at(index),
            createdBy: by,
            updatedAt: at(index),
            revokedAt: at(index),
            revokedBy: by,
          })),
        )
        .returning();
      await ctx.db.insert(apiKeyTokens).values(
        made.map(({ id, createdAt }) => ({
          accountId,
          apiKeyId: id,
          digest: randomBytes(32),
          lastFour: 'Used',
          createdAt,
          createdBy: by,
        })),
      );
    },

    async addLiveKeys({ accountId, names, tokensEach }) {
      const by = { kind: 'person', id: 'suite', name: 'Suite' } as const;
      const at = ctx.clock.now();
      const later = new Date(at.getTime() + 7 * dayMs);
      const made = await ctx.db
        .insert(apiKeys)
        .values(
          names.map((name) => ({
            accountId,
            name,
            type: 'bot' as const,
            createdAt: at,
            createdBy: by,
            updatedAt: at,
          })),
        )
        .returning();
      await ctx.db.insert(apiKeyTokens).values(
        made.flatMap(({ id }) =>
          Array.from({ length: tokensEach }, (_, index) => ({
            accountId,
            apiKeyId: id,
            digest: randomBytes(32),
            lastFour: 'Used',
            createdAt: new Date(at.getTime() - (tokensEach - index) * 1000),
            createdBy: by,
            firstUsedAt: at,
            validUntil: index === tokensEach - 1 ? null : later,
          })),
        ),
      );
    },

    async setQuotas({ accountId, ...quotas }) {
      await ctx.db.update(accounts).set(quotas).where(eq(accounts.id, accountId));
    },

    async requireSecondFactor({ accountId }) {
      await ctx.db
        .update(accounts)
        .set({ secondFactorRequiredFrom: ctx.clock.now() })
        .where(eq(accounts.id, accountId));
    },

    async openSession({ email }) {
      const credential = await findCredential(ctx, email);
      const token = await ctx.auth.newStoredToken();
      const createdAt = ctx.clock.now();
      // better-auth compares it with the system's time, which the clock may be behind.
      const begins = Math.max(createdAt.getTime(), Date.now());
      await ctx.db.insert(sessions).values({
        id: randomUUID(),
        token,
        userId: credential.personId,
        ipAddress: '127.0.0.1',
        createdAt,
        updatedAt: createdAt,
        expiresAt: new Date(begins + sessionLastsMs),
      });
      const { sessionToken } = await ctx.auth.cookieOf({ token, createdAt });
      const { deviceToken } = ctx.deviceTokens.issue({ credential, device: null });
      return { sessionToken, deviceToken };
    },

    moveClock: async ({ ms }) => ctx.clock.move(ms),
    change: async (settings) => change(settings),

    async useUpCalls({ email }) {
      const key = `person:${(await findCredential(ctx, email)).personId}`;
      while ((await ctx.limiter.consume([{ limit: 'call', key }])).allowed);
    },

    async reset() {
      ctx.clock.reset();
      change(usual);
      await ctx.limiter.reset();
    },
  };
}

async function findCredential(
  { db }: Context,
  email: string,
): Promise<{ personId: string; passwordHash: string }> {
  const [found] = await db
    .select({ personId: people.id, passwordHash: credentials.password })
    .from(people)
    .innerJoin(credentials, eq(credentials.userId, people.id))
    .where(eq(people.email, email));
  if (!found?.passwordHash) throw new Error(`nobody signs in as ${email}`);
  return { ...found, passwordHash: found.passwordHash };
}
