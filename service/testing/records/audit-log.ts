import { eq } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import type { AccountId } from '../../domain/account-id.ts';

type AuditEntry = typeof auditEntries.$inferSelect;

/** The audit entries of an account, oldest first. */
export async function auditEntriesOf(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
): Promise<AuditEntry[]> {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId))
    .orderBy(auditEntries.id);
}
