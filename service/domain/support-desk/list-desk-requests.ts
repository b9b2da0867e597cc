import type { z } from 'zod';
import type {
  DeskRequest,
  listDeskRequests as contract,
} from '#lib/contract/support-desk/desk-requests.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { SignedInPerson } from '../actor.ts';
import { readUuidCursor, writeUuidCursor } from '../cursor.ts';
import { pageOf } from '../read-page.ts';
import { readRotationRequests } from '../rotation-requests/read-requests.ts';
import { describeFoundAccount } from './describe-found.ts';
import { readSearcher } from './read-searcher.ts';
import { rolesThatMay, type Searcher } from './rules.ts';
import { findOwnRequests } from './store/requests.ts';
import type { OwnRequestRow } from './store/requests.ts';

/** The roles that see their own requests, as in the list of one account. */
const askers = rolesThatMay('requests.make');

/**
 * A page of the rotation requests that a person made in all accounts that they can open, newest
 * first, with their outcomes. If an owner closes an account to installation support, requests that
 * were open stay listed as withdrawn.
 *
 * @throws ServiceError UNAUTHORIZED if the session ended in the meantime; VALIDATION_ERROR on a
 *   cursor that this list did not return
 */
export async function listDeskRequests(
  ctx: Context,
  person: SignedInPerson,
  { query, sessionToken }: { query: z.output<typeof contract.query>; sessionToken: string },
): Promise<{ requests: DeskRequest[]; nextCursor: string | null }> {
  const searcher = await readSearcher(ctx, person, sessionToken);
  const { state = null, cursor, limit } = query;
  const isOfTime = state === 'open' || state === 'expired';
  const found = await findOwnRequests(ctx.db, searcher, {
    roles: askers,
    state,
    overdue: isOfTime ? await listOverdue(ctx, searcher) : [],
    before: readUuidCursor('desk-requests', cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, (row) => writeUuidCursor('desk-requests', row));
  return { requests: await describe(ctx, searcher, rows), nextCursor };
}

/**
 * Requests that have expired although that is not stored yet: their deadline is over, or the named
 * member can no longer do them.
 */
async function listOverdue(ctx: Context, searcher: Searcher): Promise<string[]> {
  const rows = await findOwnRequests(ctx.db, searcher, {
    roles: askers,
    state: 'open',
    overdue: [],
    before: null,
    limit: maxOverdue,
  });
  const requests = await describe(ctx, searcher, rows);
  return requests.filter(({ state }) => state === 'expired').map(({ uuid }) => uuid);
}

/** More requests than anyone makes in the 72 hours that a request is open. */
const maxOverdue = 1000;

async function describe(
  ctx: Context,
  searcher: Searcher,
  rows: readonly OwnRequestRow[],
): Promise<DeskRequest[]> {
  const accountIds = [...new Set(rows.map(({ access }) => access.accountId))];
  const requests = await readRotationRequests(ctx.db, {
    accountIds: accountIds.map(mintAccountId),
    uuids: rows.map(({ uuid }) => uuid),
    now: searcher.now,
  });
  return rows.flatMap(({ uuid, access, canOpen }) => {
    const request = requests.get(uuid);
    // The account was erased in the meantime.
    if (!request) return [];
    const { target } = request;
    return [
      {
        ...request,
        account: describeFoundAccount(access),
        // The key may have been rotated since the account was closed to them.
        target: canOpen ? target : { ...target, last_four: null },
        can_open: canOpen,
      },
    ];
  });
}
