import type { z } from 'zod';
import {
  maxFoundOnDesk,
  type DeskKind,
  type DeskResults,
  type searchDeskInput,
} from '#lib/contract/support-desk/support-desk.ts';
import { isFailing } from '#lib/contract/webhooks/failing.ts';
import { shortUrl } from '#lib/contract/webhooks/short-url.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import { mintAccountId } from '../account-id.ts';
import type { SignedInPerson } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findDeliveriesByName } from '../deliveries/read-deliveries.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { listOpenRequestsOfKeys } from '../rotation-requests/read-requests.ts';
import { statusOfWebhook } from '../webhooks/read-webhooks.ts';
import { describeFound, describeFoundAccount, describeKey } from './describe-found.ts';
import { readSearcher } from './read-searcher.ts';
import {
  readSearch,
  rolesThatMay,
  type DeskSearch,
  type FindInput,
  type Searcher,
} from './rules.ts';
import { recordSearch } from './searches.ts';
import { findAccounts, findPeople } from './store/accounts.ts';
import { findKeys, listTokens } from './store/keys.ts';
import { findAccountsOfNamed, findWebhooks } from './store/webhooks.ts';

type SearchInput = z.output<typeof searchDeskInput>;

type Found = Awaited<ReturnType<typeof findEverything>>;

/**
 * Finds accounts, keys, webhooks, deliveries and people in all accounts that a person can open. If
 * the result shows anything of an account beyond its name, the account's audit log records the search
 * with its text, so that its owners can see who searched for what. Operators can read all searches,
 * also those that found nothing.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended in the meantime
 */
export async function searchDesk(
  ctx: Context,
  person: SignedInPerson,
  { input, sessionToken }: { input: SearchInput; sessionToken: string },
): Promise<DeskResults> {
  await refuseOverLimit(ctx, [{ limit: 'desk-search', key: person.personId }]);
  const searcher = await readSearcher(ctx, person, sessionToken);
  const { search: given, more } = input;
  const { now } = searcher;
  const search = readSearch(given);
  const found = await findEverything(ctx, { searcher, search, more });
  const tokens = Map.groupBy(await listTokens(ctx.db, found.keys.items), (each) => each.apiKeyId);
  const requests = await listOpenRequestsOfKeys(ctx.db, {
    accountIds: accountsIn(found).map(mintAccountId),
    keyIds: found.keys.items.map(({ id }) => id),
    now,
  });
  await recordFound(ctx, person, { found, given, now });
  return {
    accounts: map(found.accounts, describeFoundAccount),
    keys: map(found.keys, (key) =>
      describeKey(key, {
        tokens: tokens.get(key.id) ?? [],
        requests,
        lastFour: search.lastFour,
        searcher,
      }),
    ),
    webhooks: map(found.webhooks, ({ access, ...webhook }) => {
      const url = urlRoles.some((role) => role === access.role)
        ? webhook.url
        : shortUrl(webhook.url);
      return describeFound(access, { id: webhook.id, name: webhook.name, url }, () => ({
        status: statusOfWebhook(webhook),
        is_failing: isFailing(webhook, now),
        last_triggered_at: webhook.lastTriggeredAt && formatApiTime(webhook.lastTriggeredAt),
      }));
    }),
    deliveries: map(found.deliveries, ({ access, named, delivery }) =>
      describeFound(
        access,
        {
          named,
          uuid: delivery && delivery.uuid,
          event_type: delivery && delivery.eventType,
          webhook: delivery && { id: delivery.webhookId, name: delivery.webhookName },
        },
        () =>
          delivery && {
            status: delivery.status,
            attempt_count: delivery.attemptCount,
            next_attempt_at: delivery.dueAt && formatApiTime(delivery.dueAt),
            last_error: delivery.lastError,
            last_attempt_at: delivery.lastAttemptAt && formatApiTime(delivery.lastAttemptAt),
            is_webhook_active: delivery.isWebhookActive,
          },
      ),
    ),
    people: map(found.people, ({ access, id, name, email, role, lastSeenAt }) =>
      describeFound(access, { id, name }, () => ({
        email,
        role,
        last_seen_at: lastSeenAt && formatApiTime(lastSeenAt),
      })),
    ),
  };
}

type Page<Row> = { items: Row[]; has_more: boolean };

async function findEverything(
  { db }: Context,
  { searcher, search, more }: { searcher: Searcher; search: DeskSearch; more: SearchInput['more'] },
) {
  /** `find` reads one row more than is shown, which tells whether there are more. */
  const read = async <Row>(
    kind: DeskKind,
    find: (part: { skip: number; limit: number }) => Promise<Row[]>,
  ): Promise<Page<Row>> => {
    if (more && more.of !== kind) return { items: [], has_more: false };
    const rows = await find({ skip: more?.skip ?? 0, limit: maxFoundOnDesk + 1 });
    return { items: rows.slice(0, maxFoundOnDesk), has_more: rows.length > maxFoundOnDesk };
  };
  const [accounts, keys, webhooks, deliveries, people] = await Promise.all([
    read('accounts', (part) => findAccounts(db, searcher, { search, ...part })),
    read('keys', (part) =>
      findKeys(db, searcher, { search, ...part, roles: rolesThatMay('api-keys.read') }),
    ),
    read('webhooks', (part) =>
      findWebhooks(db, searcher, {
        search,
        ...part,
        roles: rolesThatMay('webhooks.read'),
        urlRoles,
      }),
    ),
    read('deliveries', (part) => findDeliveries(db, searcher, { search, ...part })),
    read('people', (part) =>
      findPeople(db, searcher, { search, ...part, roles: rolesThatMay('team.read') }),
    ),
  ]);
  return { accounts, keys, webhooks, deliveries, people };
}

/** The roles that see whole URLs of webhooks. */
const urlRoles = rolesThatMay('webhooks.update');

function map<Row, Item>({ items, has_more }: Page<Row>, describe: (row: Row) => Item): Page<Item> {
  return { items: items.map(describe), has_more };
}

function accountsIn({ accounts, ...inAccounts }: Found): string[] {
  const rows = Object.values(inAccounts).flatMap(({ items }) => items.map(({ access }) => access));
  return [...new Set([...rows, ...accounts.items].map(({ accountId }) => accountId))];
}

/** Records the search for the installation, and in accounts it showed more of than the name. */
async function recordFound(
  ctx: Context,
  person: SignedInPerson,
  { found, given, now }: { found: Found; given: string; now: Date },
): Promise<void> {
  const { accounts, keys, webhooks, deliveries, people } = found;
  const shown = [
    ...keys.items.map(({ access }) => ({ ...access, kind: 'keys' as const })),
    ...webhooks.items.map(({ access }) => ({ ...access, kind: 'webhooks' as const })),
    ...deliveries.items.map(({ access }) => ({ ...access, kind: 'deliveries' as const })),
    ...people.items.map(({ access }) => ({ ...access, kind: 'people' as const })),
  ];
  const ofAccount = Map.groupBy(shown, ({ accountId }) => accountId);
  await ctx.db.transaction(async (tx) => {
    await recordSearch(tx, person, {
      search: given,
      found: {
        keys: keys.items.length,
        webhooks: webhooks.items.length,
        deliveries: deliveries.items.length,
        people: people.items.length,
        accounts: accounts.items.length,
      },
      now,
    });
    for (const [id, rows] of ofAccount) {
      const total = (kind: (typeof rows)[number]['kind']) =>
        rows.filter((row) => row.kind === kind).length;
      await recordAudit(tx, {
        accountId: mintAccountId(id),
        by: { kind: 'person', id: person.personId, name: person.personName },
        origin: person.origin,
        action: 'support_desk.searched',
        at: now,
        target: { kind: 'account', id, name: rows[0]?.accountName ?? '' },
        changes: {
          search: given,
          shown: {
            keys: total('keys'),
            webhooks: total('webhooks'),
            deliveries: total('deliveries'),
            people: total('people'),
          },
        },
      });
    }
  });
}

/**
 * The deliveries that an id finds, in all accounts that the person can open. What was sent to no
 * webhook is found as well, without a delivery.
 */
async function findDeliveries(
  db: Db,
  searcher: Searcher,
  { search, skip, limit }: Omit<FindInput, 'roles'>,
) {
  const id = search.uuid ?? String(search.id);
  const roles = rolesThatMay('events.read');
  const all = await findAccountsOfNamed(db, searcher, { search, roles });
  const found = await Promise.all(
    all.map(async (access) => {
      const accountId = mintAccountId(access.accountId);
      const named = await findDeliveriesByName({ db }, accountId, { id, limit: skip + limit });
      return named.flatMap(({ what, deliveries }) =>
        [...deliveries, ...(deliveries.length === 0 ? [null] : [])].map((delivery) => ({
          access,
          named: what,
          delivery,
        })),
      );
    }),
  );
  return found.flat().slice(skip, skip + limit);
}
