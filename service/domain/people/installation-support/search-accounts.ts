import type { FoundAccount } from '#lib/contract/people/found-account.ts';
import { maxFoundAccounts } from '#lib/contract/people/found-account.ts';
import type { Context } from '../../../context.ts';
import type { SignedInPerson } from '../../actor.ts';
import { forbidden } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { selectSupportedAccounts, isInstallationSupport } from '../store/installation-support.ts';

/**
 * Finds accounts for installation support by name or ID: those that allow it, and those they belong
 * to.
 *
 * @throws ServiceError FORBIDDEN to anybody else; RATE_LIMIT_EXCEEDED
 */
export async function searchAccounts(
  ctx: Context,
  { personId }: SignedInPerson,
  { search }: { search: string },
): Promise<FoundAccount[]> {
  if (!(await isInstallationSupport(ctx.db, personId))) throw forbidden();
  await refuseOverLimit(ctx, [{ limit: 'account-search', key: personId }]);
  const text = search.normalize('NFC').trim();
  const reference = parseResourceReference(text);
  return await selectSupportedAccounts(ctx.db, {
    personId,
    text,
    uuid: reference?.kind === 'uuid' ? reference.uuid : null,
    limit: maxFoundAccounts,
  });
}
