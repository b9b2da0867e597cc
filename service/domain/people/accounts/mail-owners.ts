import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import type { AccountMail } from './account-mails.ts';
import { plainName } from '../../quote-name.ts';
import { listMembers } from '../members/list-members.ts';

/** Sends a mail to every owner of an account. Call it after the commit. A failure is only logged. */
export async function mailOwners(
  ctx: Pick<Context, 'db' | 'log' | 'mail' | 'config'>,
  accountId: AccountId,
  mail: AccountMail,
): Promise<void> {
  try {
    const url = dashboardLink(ctx, accountId, 'settings/account');
    const action = { label: 'Open the account', url };
    for (const { email, name, role } of await listMembers(ctx.db, accountId)) {
      if (role === 'owner') ctx.mail.send({ ...mail, action, to: email, name: plainName(name) });
    }
  } catch (error) {
    ctx.log.error({ err: error, accountId }, 'the owners of an account could not be told');
  }
}
