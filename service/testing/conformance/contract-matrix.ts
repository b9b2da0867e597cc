import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { allRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { dataOf } from '../api.ts';
import type { ApiResponse, Resource } from '../api.ts';
import type { LimitName } from '../../limiter/limits.ts';
import { askerNames } from '../rights/askers.ts';
import type { Asker } from '../rights/askers.ts';
import {
  bodyOptional,
  endsTokens,
  limitsOf,
  refuseSilently,
  refusedByVerb,
  refusesUnknownParameters,
  repeats,
  showsSecret,
  successOf,
} from '../rights/call-rules.ts';
import { documentedStatuses, findUndocumented } from '../rights/documented.ts';
import { rightsTable } from '../rights/rights-table.ts';
import type { Input, Outcome, Right } from '../rights/rights-table.ts';
import {
  addressOf,
  askForEveryone,
  describeRows,
  openRightsWorld,
  routeOf,
  whoMay,
} from '../rights/rights-world.ts';
import type { RightsWorld } from '../rights/rights-world.ts';

/** An input, with the UUIDs of what its parameters name by a number. */
type Named = Input & { uuids: Record<string, string> };

type WrongRequest = {
  what: string;
  /** The status; for 422 with the fields that the details name. */
  outcome: number | string;
  input?: Input;
  headers?: Record<string, string>;
  /** By default the asker for whom the right request is done. */
  asker?: Asker;
  /** Whether it names something unknown: the response is the same for each of these. */
  isUnknown?: true;
  /** A limit that is used up. */
  refusing?: LimitName;
};

/**
 * Who may call what, and what every call obeys: every route of the contract, asked by everyone in
 * one account, compared with tables that are written by hand.
 */
export function describeContractMatrix(engine: OpenDatabase['engine']): void {
  let world: RightsWorld;
  /** The routes and statuses of all responses to keys. */
  const received = new Set<string>();
  beforeAll(async () => {
    world = await openRightsWorld(engine);
  });
  afterAll(() => world.ctx.dispose());

  test('every route has its row in the table of rights, and every caller an outcome there', () => {
    const named = new Set(rightsTable.map(({ route }) => route));
    expect(named).toEqual(new Set(allRoutes.map(({ name }) => name)));
    for (const { name, outcomes } of rightsTable) {
      expect(Object.keys(outcomes).toSorted(), name).toEqual(askerNames.toSorted());
    }
  });

  describe('acts for those who may, refuses everyone else, and does so as documented:', () => {
    test.each(rightsTable.map((right) => [right.name, right] as const))('%s', async (_, right) => {
      const route = routeOf(right);
      const odd: string[] = [];
      await askForEveryone(world, {
        right,
        isReading: route.method === 'GET',
        async ask(asker, input) {
          world.takeCounted();
          // A route that takes no `Idempotency-Key` ignores it.
          const headers = right.route in repeats ? {} : { 'Idempotency-Key': 'two words' };
          const given = canSendNothing(right, input) ? { ...input, body: '' } : input;
          const response = await send(route, asker, { ...given, headers });
          const isDone = response.status < 300;
          odd.push(
            ...list(asker.name, [
              problemOf(outcomeOf(response), right.outcomes[asker.name]),
              findUndocumented(route, response, { isPerson: asker.session !== null }),
              isDone ? problemOf(response.status, successOf(right)) : null,
              problemOf(
                secretIn(response),
                isDone && mayShowSecret(right) ? 'a secret' : 'no secret',
              ),
              isDone ? problemOf(sorted(world.takeCounted()), sorted(limits(right, asker))) : null,
            ]),
          );
        },
      });
      expect(odd, odd.join('\n')).toEqual([]);
    });
  });

  describe('is refused, and changes nothing, if a part of the request is wrong:', () => {
    test.each(rightsTable.map((right) => [right.name, right] as const))('%s', async (_, right) => {
      const route = routeOf(right);
      const asker = whoMay(world, right);
      if (!asker) return;
      const input = await right.makeInput(world.things, asker);
      expect(input.body !== undefined, 'has a body').toBe(route.body !== undefined);
      const before = await describeRows(world.ctx);
      const odd: string[] = [];
      let ofNothing: string | null = null;
      const uuids = await uuidsOf(input.params);
      for (const wrong of wrongRequests(right, asker, { ...input, uuids })) {
        const { what, outcome, headers, refusing = null } = wrong;
        world.refuse(refusing);
        const response = await send(route, wrong.asker ?? asker, {
          ...(wrong.input ?? input),
          ...(headers && { headers }),
        });
        world.refuse(null);
        const isPerson = (wrong.asker ?? asker).session !== null;
        odd.push(
          ...list(what, [
            problemOf(describeRefusal(response, outcome), outcome),
            findUndocumented(route, response, { isPerson }),
            wrong.isUnknown ? problemOf(response.text, (ofNothing ??= response.text)) : null,
          ]),
        );
      }
      expect.soft(odd, odd.join('\n')).toEqual([]);
      expect(await describeRows(world.ctx), 'rows after refusals').toBe(before);
      if (route.method !== 'GET') await world.askers.restore();
    });
  });

  describe('is done once if it is sent again with its Idempotency-Key:', () => {
    test.each(Object.entries(repeats))('%s gives the %s', async (name, repeat) => {
      const right = rightsTable.find((each) => each.route === name && whoMay(world, each));
      const asker = right && whoMay(world, right);
      if (!asker) throw new Error(`nobody may call ${name}`);
      const route = routeOf(right);
      const input = await right.makeInput(world.things, asker);
      const headers = { 'Idempotency-Key': `again-${crypto.randomUUID()}` };
      const first = await send(route, asker, { ...input, headers });
      const made = await countMade();
      const again = await send(route, asker, { ...input, headers });
      const another = await send(route, asker, { ...input, body: anotherBody(input), headers });
      expect([first.status, again.status, another.status]).toEqual([201, 201, 422]);
      expect(await countMade()).toEqual(made);
      const [one, two] = [dataOf(first), dataOf(again)];
      const secret = 'token' in one ? 'token' : 'secret';
      if (repeat === 'same response') expect(two).toEqual(one);
      else {
        expect(two[secret]).not.toBe(one[secret]);
        expect(two.id).toBe(one.id);
        if (secret === 'token') expect(await statuses(one, two)).toEqual([401, 200]);
      }
      await world.askers.restore();
    });
  });

  test('what is made in an account changes no list, search or count of another account', async () => {
    const { things, askers } = world;
    const [owner] = askers.all;
    if (!owner) throw new Error('nobody asks');
    // The first calls record that the key and the person were seen.
    await readElsewhere();
    const before = await readElsewhere();
    const rotated = await things.rotated(await things.smallKey());
    await things.shownSecret(owner);
    await things.event();
    await things.delivery();
    const made = [
      ...Object.values(await uuidsOf(rotated)),
      await things.requestBy(owner),
      await things.replay(),
      await things.incident(),
      await things.invitation(),
      await things.member('viewer'),
    ];
    const after = await readElsewhere();
    const shows = (name: string) =>
      changedByReading.some((route) => name.startsWith(route))
        ? made.some((id) => after[name]?.includes(id))
        : after[name] !== before[name];
    const changed = Object.keys(after).filter((name) => shows(name));
    expect(changed, changed.join('\n')).toEqual([]);
  });

  test('every status that is documented is sent to some key', async () => {
    const key = world.askers.all.find(({ name }) => name === 'full API key');
    if (!key) throw new Error('no key asks');
    const params = { webhook: '1', apiKey: '1', token: '1', conversation: '1' };
    for (const route of publicRoutes) {
      const input = { params: { ...params, delivery: '1', event: '1', replay: '1' } };
      const response = await world.things.ask(key, ['PUT', addressOf(route, input)]);
      expect(response.status).toBe(405);
      expect(findUndocumented(route, response, { isPerson: false })).toBeNull();
      // Some parameters are refused if their value is unknown, but not if their name is.
      if (route.query) await send(route, key, { ...input, query: { include: 'x' } });
    }
    // Only faults of the service cause the first two; and `openapi.test.ts` refuses calls because of
    // a resource's state.
    const never = [500, 503, 304, 405];
    const missing = publicRoutes.flatMap((route) =>
      documentedStatuses(route)
        .filter((status) => !never.includes(status) && !(status === 422 && route.stateRefusal))
        .map((status) => `${route.name} ${status}`)
        .filter((each) => !received.has(each)),
    );
    expect(missing).toEqual([]);
  });

  /** Every list, search and count that a key and an owner of another account can read there. */
  async function readElsewhere(): Promise<Record<string, string>> {
    const { key, owner } = world.askers.strangers;
    const read: Record<string, string> = {};
    const lists = rightsTable.filter((right) => showsList(right));
    expect(lists.length).toBeGreaterThan(20);
    for (const right of lists) {
      const route = routeOf(right);
      const input = await right.makeInput(world.things, owner);
      const callers = right.outcomes['full API key'] === 'done' ? [key, owner] : [owner];
      for (const stranger of callers) {
        const { status, text } = await send(route, stranger, input);
        expect(status, right.name).toBe(200);
        read[`${right.name} by the ${stranger.name}`] = text;
      }
    }
    return read;
  }

  async function send(route: RouteDefinition, asker: Asker, input: Input): Promise<ApiResponse> {
    const { body, token, headers } = input;
    const caller = token === undefined ? asker : { ...asker, token };
    const asked: [string, string, unknown] = [route.method, addressOf(route, input), body];
    const response = await world.things.ask(caller, asked, headers);
    if (asker.session === null) received.add(`${route.name} ${response.status}`);
    return response;
  }

  /** The limits against which a call counts that is carried out. */
  function limits({ route }: Right, { name, token, session }: Asker): readonly LimitName[] {
    const own = limitsOf[route] ?? [];
    if (session !== null) return route === 'signOut' ? own : ['call', ...own];
    if (token === world.ctx.dashboardCredential) return own;
    if (name === 'provisioner') return ['call', ...own];
    return ['call', ...(endsTokens.includes(route) ? [] : (['account-call'] as const)), ...own];
  }

  /** The UUIDs of things that are also named by a number. */
  async function uuidsOf(params: Record<string, string> = {}): Promise<Record<string, string>> {
    const uuids: Record<string, string> = {};
    for (const [name, id] of Object.entries(params)) {
      const table = tablesOfNumbers[name];
      if (table === undefined) continue;
      const { rows } = await world.ctx.db.execute<{ uuid: string }>(
        sql`select uuid from ${sql.identifier(table)} where id = ${Number(id)}`,
      );
      if (rows[0]) uuids[name] = rows[0].uuid;
    }
    return uuids;
  }

  async function statuses(...made: Resource[]): Promise<number[]> {
    const call = async ({ token }: Resource) =>
      (await world.api.as(String(token)).get('/api/v1/api-key')).status;
    return await Promise.all(made.map(call));
  }

  async function countMade(): Promise<unknown> {
    const tables = ['api_keys', 'webhooks', 'conversations', 'messages', 'webhook_secrets'];
    const counts = tables.map((table) => sql`(select count(*) from ${sql.identifier(table)})`);
    const { rows } = await world.ctx.db.execute(
      sql`select concat_ws(' ', ${sql.join(counts, sql`, `)}) as made`,
    );
    return rows[0];
  }

  function wrongRequests(right: Right, asker: Asker, input: Named): WrongRequest[] {
    const { route } = right;
    const wrong: WrongRequest[] = limits(right, asker)
      .filter((limit) => !refuseSilently.includes(limit))
      .map((limit) => ({ what: `over the limit ${limit}`, outcome: 429, refusing: limit }));
    wrong.push(...wrongForRefused(right, input));
    if (input.params) wrong.push(...wrongIds(right, input, input.params));
    if (input.body !== undefined) wrong.push(...wrongBodies(route, input, input.body as object));
    if (route in repeats) {
      wrong.push({
        what: 'an Idempotency-Key of two words',
        outcome: '422 Idempotency-Key',
        headers: { 'Idempotency-Key': 'two words' },
      });
    }
    if (routeOf(right).method === 'GET') {
      wrong.push({
        what: 'an unknown parameter',
        outcome: refusesUnknownParameters.includes(route) ? '422 no_such_parameter' : 'done',
        input: { ...input, query: { ...input.query, no_such_parameter: '1' } },
      });
    }
    return wrong;
  }

  /** Anyone who is refused by each case of a route is refused before anything else is read. */
  function wrongForRefused({ route }: Right, input: Input): WrongRequest[] {
    const cases = rightsTable.filter((each) => each.route === route);
    return world.askers.all.flatMap((asker) => {
      const [outcome = 'done', ...others] = new Set(
        cases.map(({ outcomes }) => outcomes[asker.name]),
      );
      if (others.length > 0 || !isDecidedFirst(route, outcome)) return [];
      const { params, body } = input;
      const wrong = {
        ...(params && { params: unknownIds(params) }),
        ...(body !== undefined && { body: '{' }),
      };
      return [{ what: `everything, from the ${asker.name}`, outcome, asker, input: wrong }];
    });
  }

  function wrongIds(right: Right, input: Named, params: Record<string, string>): WrongRequest[] {
    const { key, ...owners } = world.askers.strangers;
    const strangers = [
      ...Object.values(owners),
      ...(right.outcomes['full API key'] === 'done' ? [key] : []),
    ];
    return [
      ...[crypto.randomUUID(), '2000000000', 'not-an-id'].map((id) => ({
        what: `the unknown id ${id}`,
        outcome: 404,
        isUnknown: true as const,
        input: { ...input, params: unknownIds(params, id) },
      })),
      ...strangers.flatMap((stranger) =>
        [params, { ...params, ...input.uuids }].map((named) => ({
          what: `an id that is not theirs, from the ${stranger.name}`,
          outcome: 404,
          isUnknown: true as const,
          asker: stranger,
          input: { ...input, params: named },
        })),
      ),
    ];
  }
}

/** The tables of things that paths name by a number or a UUID. */
const tablesOfNumbers: Readonly<Record<string, string>> = {
  apiKey: 'api_keys',
  webhook: 'webhooks',
  conversation: 'conversations',
  delivery: 'deliveries',
  event: 'events',
};

function wrongBodies(route: string, input: Input, body: object): WrongRequest[] {
  const wrong: (readonly [what: string, outcome: number | string, body: unknown])[] = [
    ['an unknown field', '422 no_such_field', { ...body, no_such_field: 1 }],
    ...Object.keys(body).map(
      (field) =>
        [`${field} of another type`, `422 ${field}`, { ...body, [field]: [[{}]] }] as const,
    ),
    ['no JSON', '422 body', '{'],
    ['more than 1 MiB', 413, ' '.repeat(1_048_577)],
  ];
  if (!bodyOptional.includes(route)) wrong.push(['no body', 422, '']);
  return [
    ...wrong.map(([what, outcome, given]) => ({ what, outcome, input: { ...input, body: given } })),
    {
      what: 'a form',
      outcome: 415,
      input: { ...input, body: 'name=x' },
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
  ];
}

function unknownIds(
  params: Record<string, string>,
  id: string = crypto.randomUUID(),
): Record<string, string> {
  return Object.fromEntries(Object.keys(params).map((name) => [name, id]));
}

/** Whether a refusal comes before the input is read. */
function isDecidedFirst(route: string, outcome: Outcome): boolean {
  if (outcome === 403) return !refusedByVerb.includes(route);
  return !['done', 422, 'PROOF_REQUIRED'].includes(outcome);
}

/** Whether the call may be sent without its body, which is empty. */
function canSendNothing({ route }: Right, { body }: Input): boolean {
  return bodyOptional.includes(route) && Object.keys(body as object).length === 0;
}

function mayShowSecret({ name, route }: Right): boolean {
  return showsSecret.includes(route) && !name.includes('as a dry run');
}

function secretIn({ text, headers }: ApiResponse): 'a secret' | 'no secret' {
  const isShown = /sk_live_[0-9A-Za-z]|whsec_[0-9A-Za-z+/]/.test(`${text} ${[...headers].join()}`);
  return isShown ? 'a secret' : 'no secret';
}

function outcomeOf({ status, body }: ApiResponse): string | number {
  if (status < 300) return 'done';
  const { error } = body as { error?: { code: string } };
  return error && ['PROOF_REQUIRED', 'SESSION_RENEWED'].includes(error.code) ? error.code : status;
}

/** The outcome; with the fields that the details name, if the expected outcome names some. */
function describeRefusal(response: ApiResponse, expected: number | string): number | string {
  const { status, body } = response;
  if (typeof expected === 'number' || status !== 422) return outcomeOf(response);
  const { details = {} } = (body as { error: { details?: object } }).error;
  return `422 ${Object.keys(details).join()}`;
}

function problemOf(got: string | number, expected: string | number): string | null {
  return got === expected ? null : `${got} in place of ${expected}`;
}

/** The problems as lines that begin with where they were found. */
function list(where: string, problems: readonly (string | null)[]): string[] {
  return problems.flatMap((problem) => (problem === null ? [] : [`${where}: ${problem}`]));
}

function sorted(names: readonly string[]): string {
  return names.toSorted().join(', ');
}

/** Whether owners read a list or a search of their account. */
function showsList(right: Right): boolean {
  const { method, path, name } = routeOf(right);
  const isList = (method === 'GET' && !path.includes('{')) || name === 'searchDesk';
  return isList && right.outcomes.owner === 'done';
}

/** Reading counts as a call of the key, and searches and exports add entries to the audit log. */
const changedByReading = [
  'listApiKeysUsedFrom',
  'listCallsOfKeys',
  'listAuditEntries',
  'exportAuditLog',
  'streamEvents',
];

/** Another request that the same route accepts. */
function anotherBody({ body }: Input): unknown {
  const given = body as Record<string, unknown>;
  const text = ['name', 'subject', 'text'].find((field) => field in given);
  if (text) return { ...given, [text]: 'Another' };
  if ('expected_last_four' in given) return { expected_last_four: 'zzzz' };
  return { grace_period_seconds: 7200 };
}
