import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { loadConfig } from '../config/load-config.ts';
import { openDatabase } from '../db/open.ts';
import { accounts } from '../db/schema/accounts.ts';
import { auditEntries, auditHeads } from '../db/schema/audit.ts';
import type { AccountId } from '../domain/account-id.ts';
import { chainOlderEntries } from '../domain/audit/chain/chain-older-entries.ts';
import { verifyChain } from '../domain/audit/chain/verify-chain.ts';
import { recordAudit } from '../domain/audit/record-audit.ts';
import { createLogger } from '../log/log.ts';
import { createPostgresDatabase } from '../testing/databases/postgres-database.ts';
import { startService } from '../testing/processes/service-process.ts';
import { addAccount } from '../testing/records/people.ts';
import { newToken } from '../token.ts';
import { engines, openInstallation } from './open-installation.ts';
import type { Engine, Installation } from './open-installation.ts';
import { row } from './report.ts';

const by = { kind: 'system' as const, id: null, name: 'Bench' };
const target = { kind: 'test', id: '1', name: 'A thing with a name' };

/** Writing entries with and without the chain, verifying them, and exporting a million. */
export async function benchAudit({ isQuick }: { isQuick: boolean }): Promise<void> {
  for (const engine of engines) {
    await benchChain(engine, { seconds: isQuick ? 1 : 5, entries: isQuick ? 10_000 : 100_000 });
  }
  for (const engine of engines) await benchExport(engine, isQuick ? 100_000 : 1_000_000);
}

async function benchChain(
  engine: Engine,
  about: { seconds: number; entries: number },
): Promise<void> {
  const installation = await openInstallation(engine);
  const { ctx } = installation;
  const ids: AccountId[] = [];
  for (let count = 0; count < 8; count += 1) ids.push(await addAccount(ctx));
  for (const [label, used] of [
    ['one account', ids.slice(0, 1)],
    ['8 accounts', ids],
  ] as const) {
    // Each before and after the other, since what a machine does besides changes.
    const before = await writesPerSecond(about.seconds, used, plainWrite(installation));
    const chained = await writesPerSecond(about.seconds, used, chainedWrite(installation));
    const after = await writesPerSecond(about.seconds, used, plainWrite(installation));
    const plain = (before + after) / 2;
    row(`8 writers, ${label}, ${engine}`, {
      'chained per s': chained,
      'plain per s': plain,
      ratio: chained / plain,
    });
  }
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('conversation_service.retention', 'checkpoint', true)`);
    await tx.delete(auditEntries);
    await tx.delete(auditHeads);
  });
  const [accountId = await addAccount(ctx)] = ids;
  await seedEntries(ctx.db, accountId, { count: about.entries, hasPlaces: false });
  const chaining = await secondsOf(() => chainOlderEntries(ctx));
  const verifying = await secondsOf(() => verifyChain(ctx, accountId));
  row(`${about.entries} entries, ${engine}`, {
    'chained later per s': about.entries / chaining,
    'verified per s': about.entries / verifying,
  });
  await installation.close();
}

type Write = (accountId: AccountId) => Promise<void>;

function chainedWrite({ ctx }: Installation): Write {
  return (accountId) =>
    ctx.db.transaction((tx) =>
      recordAudit(tx, {
        accountId,
        by,
        origin: null,
        action: 'account.updated',
        at: ctx.clock.now(),
        target,
        changes: { name: { from: 'a', to: 'b' } },
      }),
    );
}

/** The same entry as an earlier version wrote it: no hash, and no head to lock. */
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

async function benchExport(engine: Engine, count: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const server = engine === 'postgresql' ? await createPostgresDatabase() : null;
  const token = newToken();
  const environment = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...(server && { DATABASE_URL: server.url }),
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    INIT_API_KEY: token,
  };
  // The first start makes the account.
  const first = await startService(environment);
  first.stop();
  await first.ended();
  const log = createLogger({ level: 'error', isPretty: false });
  const database = await openDatabase({ config: loadConfig(environment), log });
  const [account] = await database.db.select({ id: accounts.id }).from(accounts);
  if (!account) throw new Error('The service made no account.');
  await seedEntries(database.db, account.id, { count, hasPlaces: true });
  await database.db.execute(sql`vacuum analyze audit_entries`);
  await database.close();

  const service = await startService(environment);
  const readAll = (format: string, most = Infinity) =>
    readExport(`${service.origin}/api/v1/audit-log/export?format=${format}`, { token, most });
  // Code that runs for the first time, and the caches of the database, are no cost of an export.
  await readAll('csv', 20 * 1024 * 1024);
  await readAll('jsonl', 20 * 1024 * 1024);
  for (const format of ['csv', 'jsonl']) {
    const memory = watchMemory(service.pid);
    const { bytes, total, firstByteMs, seconds } = await readAll(format);
    const { addedMiB } = memory.stop();
    row(`${total} entries as ${format}, ${engine}`, {
      'added MiB': addedMiB,
      seconds,
      'first byte ms': firstByteMs,
      MiB: bytes / 1024 ** 2,
    });
  }
  await service.kill();
  await server?.drop();
  await rm(dataDir, { recursive: true });
}

async function readExport(
  url: string,
  { token, most }: { token: string; most: number },
): Promise<{ bytes: number; total: number; firstByteMs: number; seconds: number }> {
  const began = performance.now();
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const firstByteMs = performance.now() - began;
  if (answer.status !== 200 || !answer.body) throw new Error(`answered ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) {
    bytes += (piece as Uint8Array).length;
    if (bytes > most) break;
  }
  const total = Number(answer.headers.get('X-Total-Count'));
  return { bytes, total, firstByteMs, seconds: (performance.now() - began) / 1000 };
}

/** By how much the memory of a process grows, as the system sees it. Linux alone says so. */
function watchMemory(pid: number): { stop(): { addedMiB: number } } {
  const first = residentMiB(pid);
  let highest = first;
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMiB(pid));
  }, 20);
  return {
    stop() {
      clearInterval(watch);
      return { addedMiB: highest - first };
    },
  };
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Entries of the size that changes of keys and webhooks have. */
async function seedEntries(
  db: Installation['ctx']['db'],
  accountId: string,
  about: { count: number; hasPlaces: boolean },
): Promise<void> {
  const perBatch = 50_000;
  for (let from = 1; from <= about.count; from += perBatch) {
    const to = Math.min(from + perBatch - 1, about.count);
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
        case when ${about.hasPlaces} then number + 1000 end,
        case when ${about.hasPlaces} then decode(repeat('00', 32), 'hex') end
      from generate_series(${from}::int, ${to}::int) as number`);
  }
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}
