import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { accounts } from '../../db/schema/people/accounts.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { mintAccountId } from '../../domain/account-id.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';
import { TestApi } from '../../testing/api.ts';
import { addManyAccounts } from '../../testing/records/many-accounts.ts';
import { addPerson, addSupporter } from '../../testing/records/people.ts';
import { addSessionsById, withSessionsById } from '../../testing/sessions.ts';
import { percentile } from '../load/pace.ts';
import { unlimited } from '../../testing/unlimited.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { openInstallation } from '../setup/open-installation.ts';
import type { Installation } from '../setup/open-installation.ts';

const total = 2000;
const of = { keys: 25, webhooks: 2, people: 3 };

type Kind = keyof typeof rows.desk extends `${infer Name}, p95` ? Name : never;
type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Sends the nth search of each kind. */
const searches: Record<Exclude<Kind, 'all of these'>, (desk: Desk, n: number) => Promise<void>> = {
  'a word in every key': byText(() => 'server'),
  'a letter': byText((n) => 'aeinorst'.charAt(n % 8)),
  'a word in a seventh of the keys': byText(() => 'IMPORTER'),
  'the whole name of a key': byText((n) => `server ${keyIdOf(n)} a`),
  'an id': byText((n) => String(keyIdOf(n))),
  'a UUID': async ({ search, uuids }, n) => await search(uuids[n % uuids.length] ?? ''),
  'a masked token': byText((n) => `sk_live_…${lastFourOf(n)}`),
  'four characters': byText(lastFourOf),
  'an email address': byText((n) => `person2@account${1 + (n % total)}.a.example`),
  'a part of every email address': byText(() => '@account'),
  'a URL': byText((n) => `https://hooks.account${1 + (n % total)}.a.example/receive/1`),
  'a part of every URL': byText(() => 'https://'),
  'an account': byText((n) => `${1 + (n % total)} a Ltd`),
  nothing: byText((n) => `no such thing ${n}`),
  'a whole token': async ({ findToken }, n) => await findToken(`${keyIdOf(n)}-1`),
  'an unknown token': async ({ findToken }, n) => await findToken(`none-${n}`),
};

function byText(textOf: (n: number) => string) {
  return async ({ search }: Desk, n: number) => await search(textOf(n));
}

/**
 * How long searches at the support desk take, from the call to its response. Each search is
 * recorded.
 */
export const benchDesk: Bench = async (run) => {
  for (const engine of run.engines) await benchSearches(run, engine);
};

async function benchSearches(run: BenchRun, engine: Engine): Promise<void> {
  const installation = await openInstallation(engine);
  const desk = await openDesk(installation);
  const kinds = Object.entries(searches) as [keyof typeof searches, (typeof searches)['an id']][];
  // Each search runs once before it counts, so that its code is compiled.
  for (const [, search] of kinds) await search(desk, 0);

  const all: number[][] = [];
  for (const [kind, search] of kinds) {
    const took = await timesOf(run, async (n) => await search(desk, n));
    took.forEach((each, round) => (all[round] = [...(all[round] ?? []), ...each]));
    report(run, { engine, kind, took });
  }
  report(run, { engine, kind: 'all of these', took: all });
  await installation.close();
}

/** A person of installation support, who can open every account. */
async function openDesk(installation: Installation) {
  const { ctx } = installation;
  await addManyAccounts(ctx, { accounts: total, of });
  await beginAuditLogs(ctx);
  const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
  await addSupporter(ctx, personId);
  await addSessionsById(ctx, [personId]);
  await installation.analyze();
  const api = new TestApi({ ...withSessionsById(ctx), limiter: unlimited });
  const call = async (path: string, body: object) => {
    const response = await api.as({ personId }).post(`/api/dashboard/${path}`, body);
    if (response.status !== 200) throw new Error(`got ${response.status}: ${response.text}`);
  };
  const uuids: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const [key] = await ctx.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.id, keyIdOf(n)));
    if (key) uuids.push(key.uuid);
  }
  return {
    uuids,
    search: async (text: string) => await call('support-desk/searches', { search: text }),
    findToken: async (token: string) => {
      const digest = createHash('sha256').update(token).digest('hex');
      await call('support-desk/token-searches', { token_digest: digest });
    },
  };
}

/** Adds the audit entries that every account has from its first day. */
async function beginAuditLogs(ctx: Installation['ctx']): Promise<void> {
  const all = await ctx.db.select({ id: accounts.id, name: accounts.name }).from(accounts);
  await ctx.db.transaction(async (tx) => {
    for (const { id, name } of all) {
      await recordAudit(tx, {
        accountId: mintAccountId(id),
        by: { kind: 'system', id: null, name: 'Bench' },
        origin: null,
        action: 'account.created',
        at: ctx.clock.now(),
        target: { kind: 'account', id, name },
      });
    }
  });
}

/** Spreads searches over all keys. */
function keyIdOf(n: number): number {
  return 1 + ((n * 7919) % (total * of.keys));
}

/** The last four that `addManyAccounts` gives to this key. */
function lastFourOf(n: number): string {
  return createHash('md5')
    .update(`${keyIdOf(n)}-1`)
    .digest('hex')
    .slice(0, 4);
}

/** How many milliseconds each search takes, in three rounds. */
async function timesOf(run: BenchRun, act: (n: number) => Promise<void>): Promise<number[][]> {
  const times = run.isFull ? 40 : 10;
  const rounds: number[][] = [[], [], []];
  for (const [round, took] of rounds.entries()) {
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      await act(round * times + n);
      took.push(performance.now() - began);
    }
  }
  return rounds;
}

function report(
  run: BenchRun,
  { engine, kind, took }: { engine: Engine; kind: Kind; took: readonly number[][] },
): void {
  run.add(rows.desk[`${kind}, p95`], {
    engine,
    samples: took.map((each) => ({ value: percentile(each, 0.95), yardstick: null })),
    figures: { 'p50 ms': percentile(took.flat(), 0.5) },
  });
}
