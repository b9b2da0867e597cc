import { eq } from 'drizzle-orm';
import { roles } from '#lib/contract/rights/roles.ts';
import { scryptHashing } from '../auth/password.ts';
import { accounts } from '../db/schema/people/accounts.ts';
import { importInitialKey } from '../domain/api-keys/create-api-key.ts';
import { addSupportAsOperator } from '../domain/people/installation-support/support-as-operator.ts';
import { addMemberAsOperator } from '../domain/people/members/operator/members-as-operator.ts';
import { createAccountAsOperator } from '../domain/people/members/operator/accounts-as-operator.ts';
import { operator } from '../domain/people/members/operator/operator.ts';
import type { OperatorContext } from '../domain/people/members/operator/operator.ts';
import type { Control } from 'conversation-service-playwright-kit';
import type { ControlledContext } from './controlled-context.ts';

type AccountCommands = Pick<
  Control,
  | 'addAccount'
  | 'addMember'
  | 'addSupporter'
  | 'addManyAccounts'
  | 'setQuotas'
  | 'requireSecondFactor'
>;

/** The commands that add accounts and people, and change accounts. */
export function accountCommandsFor(ctx: ControlledContext): AccountCommands {
  const hashes = new Map<string, Promise<string>>();

  /**
   * Operator commands choose a password and hash it. Here the suite chose it, and it is hashed only
   * once.
   */
  function operatorWith(password: string): OperatorContext {
    const hash = hashes.get(password) ?? scryptHashing.hashPassword(password);
    hashes.set(password, hash);
    return { ...ctx, auth: { hashPassword: () => hash } };
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

    addManyAccounts: async ({ count, marker }) => {
      // A bundle does not have it.
      const { addManyAccounts } = await import('../testing/records/many-accounts.ts');
      await addManyAccounts(ctx, {
        accounts: count,
        of: { keys: 2, webhooks: 1, people: 1 },
        marker,
      });
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
  };
}
