import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { allRoutes } from '#lib/contract/routes.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { LimitName } from '../../limiter/limits.ts';
import { TestApi } from '../api.ts';
import { createTestContext } from '../context.ts';
import type { TestContext } from '../context.ts';
import { withSessionsById } from '../sessions.ts';
import { addAskers } from './askers.ts';
import type { Asker, Askers } from './askers.ts';
import type { Input, Right } from './rights-table.ts';
import { Things } from './things.ts';

/** A service without limits, and everyone who can make requests to it. */
export type RightsWorld = {
  ctx: TestContext;
  api: TestApi;
  askers: Askers;
  things: Things;
  /** The limits against which calls counted since the last time. */
  takeCounted(): LimitName[];
  /** Uses up a limit; null for none. */
  refuse(limit: LimitName | null): void;
};

export async function openRightsWorld(
  engine: OpenDatabase['engine'] = 'pglite',
): Promise<RightsWorld> {
  const { limiter, ...made } = await createTestContext({
    engine,
    config: { maxKeys: 100_000, maxWebhooks: 100_000 },
  });
  const counted: LimitName[] = [];
  let usedUp: LimitName | null = null;
  const ctx = withSessionsById({
    ...made,
    limiter: {
      ...limiter,
      async consume(uses) {
        counted.push(...uses.map(({ limit }) => limit));
        const allowed = uses.every(({ limit }) => limit !== usedUp);
        const state = { limit: 1, remaining: 1, resetSeconds: 1, windowSeconds: 60 };
        return { ...state, allowed, name: usedUp ?? 'call' };
      },
    },
  });
  const api = new TestApi(ctx);
  const account = await api.account();
  const askers = await addAskers(ctx, account);
  const things = await Things.of(ctx, api, account);
  return {
    ctx,
    api,
    askers,
    things,
    takeCounted: () => counted.splice(0),
    refuse(limit) {
      usedUp = limit;
    },
  };
}

export function routeOf({ route: asked }: Right): RouteDefinition {
  const route = allRoutes.find(({ name }) => name === asked);
  if (!route) throw new Error(`there is no route ${asked}`);
  return route;
}

/** Someone for whom the act is done: a key, if keys may do it. */
export function whoMay({ askers }: RightsWorld, { outcomes }: Right): Asker | undefined {
  const isKey = ({ name }: Asker) => name === 'full API key';
  return askers.all
    .filter(({ name }) => outcomes[name] === 'done')
    .toSorted((a, b) => Number(isKey(b)) - Number(isKey(a)))[0];
}

/** The path and query of a request to a route. */
export function addressOf({ path }: RouteDefinition, { params = {}, query }: Input): string {
  const named = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(params[name]));
  return query ? `${named}?${new URLSearchParams(query)}` : named;
}

/**
 * Calls `ask` for everyone: first for those who are refused, and then for the others. Each of the
 * others gets an input of their own, and so does everyone if the input names the asker. The
 * refused askers share an input that someone else could use, and so does everyone for routes that
 * only read. Nothing has changed after the refusals.
 */
export async function askForEveryone<Result>(
  world: RightsWorld,
  options: {
    right: Right;
    /** By default those of the right. */
    outcomes?: Right['outcomes'];
    /** By default all. */
    askers?: Askers['all'];
    isReading: boolean;
    ask: (asker: Askers['all'][number], input: Input) => Promise<Result>;
  },
): Promise<Record<string, Result>> {
  const { askers, things, ctx } = world;
  const { right, outcomes = right.outcomes, askers: everyone = askers.all } = options;
  const isRefused = ({ name }: Askers['all'][number]) => !['done', 422].includes(outcomes[name]);
  const results: Record<string, Result> = {};
  let shared: Input | null = null;
  let before: string | null = null;
  const expectUnchanged = async () => {
    if (before !== null) expect.soft(await describeRows(ctx), 'rows after refusals').toBe(before);
    before = null;
  };
  for (const asker of everyone.toSorted((a, b) => Number(isRefused(b)) - Number(isRefused(a)))) {
    const isOwn =
      (right.namesAsker === true && (asker.isHere || !isRefused(asker))) ||
      (!options.isReading && !isRefused(asker));
    if (isOwn || !isRefused(asker)) await expectUnchanged();
    const input: Input = isOwn || shared === null ? await right.makeInput(things, asker) : shared;
    shared ??= input;
    if (isRefused(asker)) before ??= await describeRows(ctx);
    results[asker.name] = await options.ask(asker, input);
  }
  await expectUnchanged();
  if (!options.isReading) await askers.restore();
  return results;
}

/** Tables of which refused calls change no row. */
const keptTables = [
  'accounts',
  'people',
  'credentials',
  'invitations',
  'installation_support',
  'passkeys',
  'authenticator_apps',
  'recovery_codes',
  'email_changes',
  'password_resets',
  'api_keys',
  'incidents',
  'incident_keys',
  'rotation_requests',
  'webhooks',
  'webhook_secrets',
  'conversations',
  'messages',
  'events',
  'deliveries',
  'replays',
  'audit_entries',
];

/** Changes with every row that is added, changed or removed. */
export async function describeRows({ db }: TestContext): Promise<string> {
  const counts = keptTables.map(
    (table) =>
      sql`(select concat(count(*), '/', sum(xmin::text::bigint)) from ${sql.identifier(table)})`,
  );
  // These columns change without the use of a call: when a token and a member were last seen.
  const tokens = sql`(select concat(count(*), '/', max(id), '/', count(valid_until)) from api_key_tokens)`;
  const members = sql`(select md5(string_agg(concat(account_id, person_id, role), ',' order by account_id, person_id)) from members)`;
  const all = sql.join([...counts, tokens, members], sql`, `);
  const { rows } = await db.execute<{ all: string }>(sql`select concat_ws(' ', ${all}) as all`);
  return rows[0]?.all ?? '';
}
