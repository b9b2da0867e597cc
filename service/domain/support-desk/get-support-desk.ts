import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import type { Context } from '../../context.ts';
import type { SignedInPerson } from '../actor.ts';
import { readSearcher } from './read-searcher.ts';
import { countOpenAccounts, listRecentAccounts } from './store/accounts.ts';

const maxRecentAccounts = 5;

/** The person at the support desk, how many accounts they can open, and which they used last. */
export async function getSupportDesk(
  ctx: Context,
  person: SignedInPerson,
  sessionToken: string,
): Promise<SupportDesk> {
  const searcher = await readSearcher(ctx, person, sessionToken);
  return {
    person: { id: person.personId, name: person.personName, email: person.email },
    is_installation_support: searcher.isSupporter,
    account_count: await countOpenAccounts(ctx.db, searcher),
    recent_accounts: await listRecentAccounts(ctx.db, searcher, maxRecentAccounts),
  };
}
