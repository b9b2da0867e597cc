import type { OpenDatabase } from '../db/open.ts';
import { hotActs } from '../testing/growth/hot-acts.ts';
import type { HotAct } from '../testing/growth/hot-acts.ts';

export type Engine = OpenDatabase['engine'];

/** The target of a row: for its ratio to the yardstick, or for its own value. */
export type Target = { of: 'ratio' | 'value'; bound: number };

/** One figure that a bench measures. */
export type Row = {
  bench: string;
  name: string;
  unit: 'per s' | 'ms' | 'MiB' | 's';
  better: 'higher' | 'lower';
  targets: Partial<Record<Engine, Target>>;
};

type Definition = Omit<Row, 'bench' | 'name'>;
type Bounds = number | Partial<Record<Engine, number>>;

const deskTargets: Bounds = { pglite: 400, postgresql: 200 };

/** Every row of every bench by its name, with its target for each engine. */
export const rows = nameRows({
  api: {
    healthz: perSecond(),
    'authenticated 404': perSecond(0.4),
    'GET /api-key': perSecond(0.35),
    'GET /webhooks, 10 rows': perSecond({ pglite: 0.03, postgresql: 0.1 }),
    'GET /conversations, 10 rows': perSecond({ pglite: 0.04, postgresql: 0.12 }),
    'POST messages': perSecond({ postgresql: 0.06 }),
  },
  drain: {
    '1 webhook': perSecond({ pglite: 0.35, postgresql: 0.5 }),
    '10 webhooks': perSecond({ pglite: 0.35, postgresql: 0.5 }),
    '100 webhooks': perSecond({ pglite: 0.35, postgresql: 0.5 }),
  },
  latency: {
    '50/s, p50': milliseconds(),
    '50/s, p99': milliseconds({ pglite: 20, postgresql: 6 }),
    '200/s, p50': milliseconds(),
    '200/s, p99': milliseconds({ pglite: 30, postgresql: 10 }),
    '1,000/s, p50': milliseconds(),
    '1,000/s, p99': milliseconds({ postgresql: 40 }),
  },
  // With a fifth more calls of one account than the service can carry out.
  refusals: {
    'refusals, p50': milliseconds(),
    'refusals, p99': milliseconds(50),
    'calls carried out': perSecond(),
  },
  isolation: {
    'beside 10 that hang and a backlog, p50': slowdown(),
    'beside 10 that hang and a backlog, p99': slowdown(),
    'beside 10 that hang, p50': slowdown(),
    'beside 10 that hang, p99': slowdown(),
  },
  fairness: {
    'B at its own host, p50': slowdown(1.2),
    'B at its own host, p99': slowdown(1.5),
    "B at A's host, p50": slowdown(1.2),
    "B at A's host, p99": slowdown(1.5),
    'A, B at its own host, p50': slowdown(2),
    'A, B at its own host, p99': slowdown(2),
    "A, B at A's host, p50": slowdown(2),
    "A, B at A's host, p99": slowdown(2),
  },
  memory: {
    'after a page view': mebibytes({ pglite: 400, postgresql: 250 }),
    'at 60 messages a second': mebibytes({ pglite: 500 }),
    'growth in ten minutes more': mebibytes(32),
    'api and worker': mebibytes({ postgresql: 180 }),
  },
  audit: {
    'chained entries, one account': perSecond(),
    'chained entries, 8 accounts': perSecond(),
    'entries verified': perSecond(),
    'export as csv, added memory': mebibytes(64),
    'export as jsonl, added memory': mebibytes(64),
  },
  // Searches at the support desk.
  desk: {
    'a word in every key, p95': milliseconds(deskTargets),
    'a letter, p95': milliseconds(deskTargets),
    'a word in a seventh of the keys, p95': milliseconds(deskTargets),
    'the whole name of a key, p95': milliseconds(deskTargets),
    'an id, p95': milliseconds(deskTargets),
    'a UUID, p95': milliseconds(deskTargets),
    'a masked token, p95': milliseconds(deskTargets),
    'four characters, p95': milliseconds(deskTargets),
    'an email address, p95': milliseconds(deskTargets),
    'a part of every email address, p95': milliseconds(deskTargets),
    'a URL, p95': milliseconds(deskTargets),
    'a part of every URL, p95': milliseconds(deskTargets),
    'an account, p95': milliseconds(deskTargets),
    'nothing, p95': milliseconds(deskTargets),
    'a whole token, p95': milliseconds(deskTargets),
    'an unknown token, p95': milliseconds(deskTargets),
    'all of these, p95': milliseconds(deskTargets),
  },
  // The hot acts in a database with this many rows, compared to one with a thousand.
  growth: { ...growthTo('10⁵ rows'), ...growthTo('10⁶ rows') },
});

function growthTo<Size extends string>(size: Size) {
  const definitions = hotActs.map((act) => [`${act}, ${size}`, slowdown({ postgresql: 1.3 })]);
  return Object.fromEntries(definitions) as Record<`${HotAct}, ${Size}`, Definition>;
}

/** A rate. It is judged by its ratio to the yardstick. */
function perSecond(bounds: Bounds = {}): Definition {
  return { unit: 'per s', better: 'higher', targets: targetsOf('ratio', bounds) };
}

/** A duration. */
function milliseconds(bounds: Bounds = {}): Definition {
  return { unit: 'ms', better: 'lower', targets: targetsOf('value', bounds) };
}

/**
 * How many times longer something takes than in the best case: undisturbed, or in a small database.
 */
function slowdown(bounds: Bounds = {}): Definition {
  return { unit: 'ms', better: 'lower', targets: targetsOf('ratio', bounds) };
}

function mebibytes(bounds: Bounds = {}): Definition {
  return { unit: 'MiB', better: 'lower', targets: targetsOf('value', bounds) };
}

function targetsOf(of: Target['of'], bounds: Bounds): Row['targets'] {
  const perEngine = typeof bounds === 'number' ? { pglite: bounds, postgresql: bounds } : bounds;
  const { pglite, postgresql } = perEngine;
  return {
    ...(pglite !== undefined && { pglite: { of, bound: pglite } }),
    ...(postgresql !== undefined && { postgresql: { of, bound: postgresql } }),
  };
}

type Named<Definitions> = {
  [Bench in keyof Definitions]: { [Name in keyof Definitions[Bench]]: Row };
};

function nameRows<Definitions extends Record<string, Record<string, Definition>>>(
  definitions: Definitions,
): Named<Definitions> {
  const named = Object.entries(definitions).map(([bench, ofBench]) => [
    bench,
    Object.fromEntries(
      Object.entries(ofBench).map(([name, definition]) => [name, { bench, name, ...definition }]),
    ),
  ]);
  return Object.fromEntries(named) as Named<Definitions>;
}
