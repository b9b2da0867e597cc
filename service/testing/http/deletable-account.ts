import { eq } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { TestAccount } from '../api.ts';
import type { ApiResponse, TestApi, TestClient } from '../api.ts';
import { addAccount } from '../records/people.ts';

export const accountName = 'Marlow & Finch';
export const deletionPath = '/api/dashboard/account/deletion';

/** An account whose members delete and restore it through the API. */
export class DeletableAccount extends TestAccount {
  static async add(api: TestApi): Promise<DeletableAccount> {
    const account = new DeletableAccount(api, await addAccount(api.ctx, accountName));
    await account.member('owner');
    return account;
  }

  /** Calls as the member with this role, from a page of the account. */
  async as(role: Role): Promise<TestClient> {
    return this.api.as({ ...(await this.member(role)), pageOf: this.id });
  }

  async delete(name = accountName, role: Role = 'owner'): Promise<ApiResponse> {
    return await (await this.as(role)).post(deletionPath, { name });
  }

  async restore(role: Role = 'owner'): Promise<ApiResponse> {
    return await (await this.as(role)).delete(deletionPath);
  }

  /** The entries about the account itself, the oldest first. */
  async audited(): Promise<unknown[]> {
    const entries = await this.api.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, this.id))
      .orderBy(auditEntries.id);
    return entries
      .filter(({ target }) => target.kind === 'account')
      .map(({ action, actor, changes }) => [action, actor.name, changes]);
  }
}
