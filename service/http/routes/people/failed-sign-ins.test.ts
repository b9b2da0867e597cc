import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { createAuth } from '../../../auth/auth.ts';
import { FailedSignIns, maxPendingEmails } from '../../../domain/people/sign-in/failed-sign-ins.ts';
import { verifyAuditAsOperator } from '../../../domain/audit/chain/verify-chain.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import { FailingDatabase } from '../../../testing/databases/failing-database.ts';
import { auditEntriesOf } from '../../../testing/records/audit-log.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { addApp } from '../../../testing/records/second-factors.ts';
import { useApi } from '../../../testing/use-api.ts';

const password = 'correct horse battery';
const { ctx, api, account, owner } = useApi();
let passwordHash: string;
let person: { id: string; email: string };
let accounts: [AccountId, AccountId];
let addresses = 0;

beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  const email = `ann-${crypto.randomUUID()}@example.com`;
  person = { email, id: (await addPerson(ctx, { email, passwordHash })).id };
  accounts = [await addAccount(ctx), await addAccount(ctx)];
  for (const accountId of accounts) {
    await addMember(ctx, { accountId, personId: person.id, role: 'viewer' });
  }
});

async function tryToSignIn({
  email = person.email,
  given = 'incorrect horse battery',
  from = newAddress(),
  on = api,
}: { email?: string; given?: string; from?: string; on?: TestApi } = {}) {
  const headers = { 'X-Dashboard-Client': `${from} Firefox` };
  return await on.asNobody().post('/api/dashboard/session', { email, password: given }, headers);
}

function newAddress(): string {
  addresses += 1;
  return `10.7.${addresses >> 8}.${addresses & 255}`;
}

async function entriesIn(accountId: AccountId) {
  const entries = await auditEntriesOf(ctx, accountId);
  return entries.filter(({ action }) => action === 'session.sign_in_failed');
}

describe('failed sign-ins', () => {
  test('are one entry in each account of the person, with their number and the latest address', async () => {
    for (const from of ['203.0.113.7', '203.0.113.7', '203.0.113.8']) await tryToSignIn({ from });
    await ctx.failedSignIns.flush();
    for (const accountId of accounts) {
      const entries = await entriesIn(accountId);
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({
        actor: { kind: 'system', id: null, name: 'Someone' },
        target: { kind: 'person', id: person.id },
        changes: {
          failed_sign_ins: 3,
          wrong_passwords: 3,
          addresses: ['203.0.113.7', '203.0.113.8'],
        },
        ip: '203.0.113.8',
        userAgent: 'Firefox',
      });
    }
    expect(await entriesIn(account.id)).toEqual([]);
  });

  test('are at most one entry in 10 minutes, and none is left out', async () => {
    await tryToSignIn();
    await ctx.failedSignIns.flush();
    await tryToSignIn({ email: person.email.toUpperCase() });
    await ctx.failedSignIns.flush();
    ctx.clock.advance(9 * minuteMs);
    await tryToSignIn();
    await ctx.failedSignIns.flush();
    const [first] = accounts;
    expect(await entriesIn(first)).toHaveLength(1);
    ctx.clock.advance(minuteMs);
    await ctx.failedSignIns.flush();
    const counts = (await entriesIn(first)).map(({ changes }) => changes?.['failed_sign_ins']);
    expect(counts).toEqual([1, 2]);
  });

  test('of a person with 100 accounts are at most one entry in 20 minutes', async () => {
    for (let count = accounts.length; count < 100; count += 1) {
      const accountId = await addAccount(ctx);
      await addMember(ctx, { accountId, personId: person.id, role: 'viewer' });
    }
    for (const entries of [1, 1, 2]) {
      await tryToSignIn();
      await ctx.failedSignIns.flush();
      expect(await entriesIn(accounts[0])).toHaveLength(entries);
      ctx.clock.advance(10 * minuteMs);
    }
  });

  test('include those that a limit refused and wrong second factors', async () => {
    const from = newAddress();
    for (let time = 0; time < 12; time += 1) await tryToSignIn({ from });
    await addApp(ctx, { personId: person.id, email: person.email });
    const pending = await tryToSignIn({ given: password });
    expect(pending.status).toBe(202);
    const { pending_token: token } = dataOf<{ pending_token: string }>(pending);
    const finish = { pending_token: token, code: '000000' };
    await api.asNobody().post('/api/dashboard/session/second-factor', finish);
    await ctx.failedSignIns.flush();
    expect((await entriesIn(accounts[0]))[0]?.changes).toMatchObject({
      failed_sign_ins: 13,
      wrong_passwords: 10,
      refused_by_limits: 2,
      wrong_second_factors: 1,
    });
  });

  test('make the same statements and get the same response for an email that nobody has', async () => {
    const statements: string[] = [];
    const observed = new FailingDatabase(ctx.db);
    observed.before = async (statement) => void statements.push(statement);
    const { db } = observed;
    const key = Buffer.alloc(32);
    const on = new TestApi({ ...ctx, db, auth: createAuth({ db, key, clock: ctx.clock }) });
    const told = [];
    for (const email of [person.email, `nobody-${person.email}`]) {
      statements.length = 0;
      const { status, text } = await tryToSignIn({ email, on });
      told.push({ status, text, statements: [...statements] });
    }
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.status).toBe(422);
    await ctx.failedSignIns.flush();
    expect(await entriesIn(accounts[0])).toHaveLength(1);
  });

  test('keep the chain of the audit log intact, and can be found by their action', async () => {
    await addMember(ctx, { accountId: account.id, personId: person.id, role: 'viewer' });
    await tryToSignIn();
    await ctx.failedSignIns.flush();
    for await (const { report } of verifyAuditAsOperator(ctx, { id: account.id, name: 'Acme' })) {
      expect(report.faults).toEqual([]);
    }
    const found = await owner.get('/api/v1/audit-log?action=session.sign_in_failed');
    expect(dataOf<unknown[]>(found)).toHaveLength(1);
    expect(dataOf<unknown[]>(await owner.get('/api/v1/audit-log?action=session'))).not.toEqual([]);
  });
});

describe('waiting failed sign-ins', () => {
  const origin = { ip: '203.0.113.9', userAgent: null, requestId: 'r' };
  const log = () => new FailedSignIns(ctx);

  test('of a person with a recent entry begin no transaction', async () => {
    let transactions = 0;
    const db = Object.create(ctx.db, {
      transaction: {
        value: async (...args: Parameters<typeof ctx.db.transaction>) => {
          transactions += 1;
          return await ctx.db.transaction(...args);
        },
      },
    }) as typeof ctx.db;
    const own = new FailedSignIns({ ...ctx, db });
    for (let time = 0; time < 3; time += 1) {
      own.record({ email: person.email, reason: 'wrong_passwords', origin });
      await own.flush();
    }
    expect(transactions).toBe(1);
    ctx.clock.advance(10 * minuteMs);
    await own.flush();
    expect(transactions).toBe(2);
    expect(await entriesIn(accounts[0])).toHaveLength(2);
  });

  test('are bounded, and the log says how many were lost', async () => {
    const own = log();
    for (let index = 0; index < maxPendingEmails + 3; index += 1) {
      own.record({ email: `x${index}@example.com`, reason: 'wrong_passwords', origin });
    }
    ctx.expectErrors(/failed sign-ins not recorded$/);
    await own.flush();
    expect(ctx.logged.at(-1)).toMatchObject({ failed_sign_ins: 3 });
  });

  test('wait for a database that is away, and are written on stop although an entry is recent', async () => {
    const database = new FailingDatabase(ctx.db);
    const own = new FailedSignIns({ ...ctx, db: database.db });
    own.record({ email: person.email, reason: 'wrong_passwords', origin });
    await own.flush();
    own.record({ email: person.email, reason: 'wrong_passwords', origin });
    ctx.expectErrors(/failed sign-ins not recorded yet/);
    database.fails = () => 'refused';
    await own.flush();
    database.fails = () => null;
    await own.stop();
    expect(await entriesIn(accounts[0])).toHaveLength(2);
  });
});
