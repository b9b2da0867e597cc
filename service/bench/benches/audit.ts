import { sql } from 'drizzle-orm';
import { loadConfig } from '../../config/load-config.ts';
import { openDatabase } from '../../db/open.ts';
import type { Tx } from '../../db/open.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { auditEntries, auditHeads } from '../../db/schema/audit.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { verifyChain } from '../../domain/audit/chain/verify-chain.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';
import { createLogger } from '../../log/log.ts';
import { addAccount } from '../../testing/records/people.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { watchMemory } from '../running/resident-memory.ts';
import { alternate, samplesOf } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { installService } from '../setup/install-service.ts';
import { openInstallation } from '../setup/open-installation.ts';
import type { Installation } from '../setup/open-installation.ts';

const by = { kind: 'system' as const, id: null, name: 'Bench' };
const target = { kind: 'test', id: '1', name: 'A thing with a name' };

/** Writes entries with and without the chain, verifies them, and exports a million. */
export const benchAudit: Bench = async (run) => {
  for (const engine of run.engines) await benchChain(run, engine);
  for (const engine of run.engines) await benchExport(run, engine);
};

async function benchChain(run: BenchRun, engine: Engine): Promise<void> {
  const { seconds, entries } = run.isFull
    ? { seconds: 5, entries: 100_000 }
    : { seconds: 1, entries: 10_000 };
  const installation = await openInstallation(engine);
  const { ctx } = installation;
  const ids: AccountId[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await addAccount(ctx));
  for (const [row, used] of [
    [rows.audit['chained entries, one account'], ids.slice(0, 1)],
    [rows.audit['chained entries, 8 accounts'], ids],
  ] as const) {
    const taken = await alternate(3, {
      yardstick: () => writesPerSecond(seconds, used, plainWrite(installation)),
      measure: () => writesPerSecond(seconds, used, chainedWrite(installation)),
    });
    run.add(row, { engine, samples: samplesOf(taken, (perSecond) => perSecond) });
  }
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('conversation_service.retention', 'checkpoint', true)`);
    await tx.delete(auditEntries);
    await tx.delete(auditHeads);
  });
  const [accountId = await addAccount(ctx)] = ids;
  const perTransaction = 1000;
  for (let written = 0; written < entries; written += perTransaction) {
    await ctx.db.transaction(async (tx) => {
      for (let count = 0; count < perTransaction; count += 1) await addEntry(ctx, tx, accountId);
    });
  }
  const verifying = await secondsOf(() => verifyChain(ctx, accountId));
  run.add(rows.audit['entries verified'], {
    engine,
    samples: [{ value: entries / verifying, yardstick: null }],
  });
  await installation.close();
}

type Write = (accountId: AccountId) => Promise<void>;

function chainedWrite({ ctx }: Installation): Write {
  return (accountId) => ctx.db.transaction((tx) => addEntry(ctx, tx, accountId));
}

async function addEntry(ctx: Installation['ctx'], tx: Tx, accountId: AccountId): Promise<void> {
  await recordAudit(tx, {
    accountId,
    by,
    origin: null,
    action: 'account.updated',
    at: ctx.clock.now(),
    target,
    changes: { name: { from: 'a', to: 'b' } },
  });
}

/** The same entry without a hash, and without locking the head. */
function plainWrite({ ctx }: Installation): Write {
  return (accountId) =>
    ctx.db.transaction(async (tx) => {
      await tx.insert(auditEntries).values({
        accountId,
        at: ctx.clock.now(),
        actor: by,
        action: 'account.updated',
        target,
        changes: { name: { from: 'a', to: 'b' } },
      });
    });
}

async function writesPerSecond(
  seconds: number,
  accountIds: readonly AccountId[],
  write: Write,
): Promise<number> {
  const began = performance.now();
  const until = began + seconds * 1000;
  let written = 0;
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      const accountId = accountIds[writer % accountIds.length];
      if (!accountId) return;
      while (performance.now() < until) {
        await write(accountId);
        written += 1;
      }
    }),
  );
  return (written * 1000) / (performance.now() - began);
}

async function benchExport(run: BenchRun, engine: Engine): Promise<void> {
  const count = run.isFull ? 1_000_000 : 100_000;
  const installed = await installService(engine);
  // The first start creates the account.
  await (await installed.start()).stop();
  const log = createLogger({ level: 'error', isPretty: false });
  const database = await openDatabase({ config: loadConfig(installed.environment), log });
  const [account] = await database.db.select({ id: accounts.id }).from(accounts);
  if (!account) throw new Error('The service made no account.');
  await seedEntries(database.db, account.id, count);
  await database.db.execute(sql`vacuum analyze audit_entries`);
  await database.close();

  const service = await installed.start();
  const readAll = (format: string, max = Infinity) =>
    readExport(`${service.origin}/api/v1/audit-log/export?format=${format}`, {
      token: installed.token,
      max,
    });
  // Reads once before it counts, so that code is compiled and the caches of the database are full.
  await readAll('csv', 20 * 1024 * 1024);
  await readAll('jsonl', 20 * 1024 * 1024);
  for (const format of ['csv', 'jsonl'] as const) {
    const memory = watchMemory(service.pid);
    const { bytes, total, firstByteMs, seconds } = await readAll(format);
    const { addedMiB } = memory.stop();
    run.add(rows.audit[`export as ${format}, added memory`], {
      engine,
      samples: [{ value: addedMiB, yardstick: null }],
      figures: { entries: total, seconds, 'first byte ms': firstByteMs, MiB: bytes / 1024 ** 2 },
    });
  }
  await service.stop();
  await installed.remove();
}

async function readExport(
  url: string,
  { token, max }: { token: string; max: number },
): Promise<{ bytes: number; total: number; firstByteMs: number; seconds: number }> {
  const began = performance.now();
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const firstByteMs = performance.now() - began;
  if (response.status !== 200 || !response.body) throw new Error(`got ${response.status}`);
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += (piece as Uint8Array).length;
    if (bytes > max) break;
  }
  const total = Number(response.headers.get('X-Total-Count'));
  return { bytes, total, firstByteMs, seconds: (performance.now() - began) / 1000 };
}

/** Adds entries as large as those about changes of keys and webhooks. */
async function seedEntries(
  db: Installation['ctx']['db'],
  accountId: string,
  count: number,
): Promise<void> {
  const perBatch = 50_000;
  for (let from = 1; from <= count; from += perBatch) {
    const to = Math.min(from + perBatch - 1, count);
    await db.execute(sql`
      insert into audit_entries
        (account_id, at, actor, action, target, changes, ip, user_agent, request_id, sequence, hash)
      select ${accountId}::uuid, now() - interval '1 day' + interval '1 millisecond' * number,
        '{"kind":"person","id":"1f0e6f0c-5d1c-4b55-8f5b-0a8f3c2d4e5f","name":"Ida Marlow"}',
        'api_key.rotated',
        json_build_object('kind', 'api_key', 'id', gen_random_uuid(), 'name', 'Key ' || number),
        '{"grace_period_seconds":86400,"tokens":[{"last_four":"a1b2","valid_until":"2026-11-21T10:29:17.123+00:00"}]}',
        '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        gen_random_uuid()::text,
        number + 1000, decode(repeat('00', 32), 'hex')
      from generate_series(${from}::int, ${to}::int) as number`);
  }
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}
