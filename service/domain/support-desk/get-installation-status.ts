import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import type { SignedInPerson } from '../actor.ts';
import { forbidden } from '../errors.ts';
import { readInstallation } from '../installation/read-installation.ts';
import { describeFoundAccount } from './describe-found.ts';
import { readSearcher } from './read-searcher.ts';
import { rolesThatMay } from './rules.ts';
import { listFailingAccounts } from './store/attention.ts';

const maxFailingAccounts = 5;

/**
 * How the installation does. Of the accounts that the person can open it has the names, and counts
 * of webhooks, as the desk shows them before a reason was given; so it is not recorded.
 *
 * @throws ServiceError FORBIDDEN to anyone but installation support; UNAUTHORIZED if the session
 *   ended in the meantime
 */
export async function getInstallationStatus(
  ctx: Context,
  person: SignedInPerson,
  sessionToken: string,
): Promise<InstallationStatus> {
  const searcher = await readSearcher(ctx, person, sessionToken);
  if (!searcher.isSupporter) throw forbidden('role');
  const { now } = searcher;
  const [installation, failing] = await Promise.all([
    readInstallation(ctx, now),
    listFailingAccounts(ctx.db, searcher, {
      roles: rolesThatMay('webhooks.read'),
      limit: maxFailingAccounts,
      deactivatedAfter: new Date(now.getTime() - ctx.config.retentionDays * dayMs),
    }),
  ]);
  return {
    ...installation,
    failing_accounts: {
      total: failing[0]?.total ?? 0,
      items: failing.map(({ access, webhooks, failing: count, deactivated, failedAttempts }) => ({
        account: describeFoundAccount(access),
        webhooks,
        failing: count,
        deactivated,
        failed_attempts: failedAttempts,
      })),
    },
  };
}
