import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { listMembers } from '../members/list-members.ts';

/** Sends a mail to every owner of an account. Call it after the commit. A failure is only logged. */
export async function mailOwners(
  ctx: Pick<Context, 'db' | 'log' | 'mail' | 'config'>,
  accountId: AccountId,
  { subject, lines }: { subject: string; lines: readonly string[] },
): Promise<void> {
  try {
    const text = [...lines, dashboardLink(ctx, accountId, 'settings/account')].join('\n\n');
    for (const { email, role } of await listMembers(ctx.db, accountId)) {
      if (role === 'owner') ctx.mail.send({ to: email, subject, text });
    }
  } catch (error) {
    ctx.log.error({ err: error, accountId }, 'the owners of an account could not be told');
  }
}
