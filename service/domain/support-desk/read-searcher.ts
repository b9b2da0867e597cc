import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import type { Context } from '../../context.ts';
import type { SignedInPerson } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { hasFactor } from '../people/second-factors/required-factor.ts';
import type { Searcher } from './rules.ts';
import { countOpenAccounts, isSupporter, listRecentAccounts } from './store/accounts.ts';

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

/** @throws ServiceError UNAUTHORIZED if the session ended in the meantime */
export async function readSearcher(
  ctx: Context,
  { personId }: SignedInPerson,
  sessionToken: string,
): Promise<Searcher> {
  const session = await ctx.auth.session(sessionToken);
  if (!session) throw new ServiceError('UNAUTHORIZED');
  return {
    personId,
    sessionId: session.sessionId,
    isSupporter: await isSupporter(ctx.db, personId),
    hasFactor: await hasFactor(ctx.db, personId),
    sessionBegan: session.createdAt,
    now: ctx.clock.now(),
  };
}
