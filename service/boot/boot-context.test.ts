import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { verifyChain } from '../domain/audit/chain/verify-chain.ts';
import { recordAudit } from '../domain/audit/record-audit.ts';
import { openHeaders } from '../domain/webhooks/static-headers.ts';
import { consumeFactor } from '../domain/people/second-factors/consume-factor.ts';
import type { TestContext } from '../testing/context.ts';
import { dataOf, TestApi } from '../testing/api.ts';
import { addPerson } from '../testing/records/people.ts';
import { addApp } from '../testing/records/second-factors.ts';
import { useContext } from '../testing/use-api.ts';
import { bootContext } from './boot-context.ts';

const ctx = useContext({ contextFor: 'test' });

test('the start that changes SECRET_KEY encrypts every secret with the new key alone, and says in the log that the previous one can be removed', async () => {
  const apps: { personId: string; code: () => string }[] = [];
  const secrets: string[] = [];
  const api = new TestApi(ctx);
  for (let made = 0; made < 3; made += 1) {
    const { id: personId, email } = await addPerson(ctx);
    apps.push({ personId, ...(await addApp(ctx, { personId, email })) });
    const account = await api.account();
    const { id } = await account.webhook({ headers: { 'X-Key': `value of ${personId}` } });
    const shown = await (
      await account.key()
    ).post(`/api/v1/webhooks/${id}/regenerate-secret`, {
      grace_period_seconds: 0,
    });
    secrets.push(dataOf<{ secret: string }>(shown).secret);
  }

  const previous = ctx.config.secretKey;
  const changed = randomBytes(32);
  await start({ secretKey: changed, secretKeyPrevious: previous });
  const later = await start({ secretKey: changed, secretKeyPrevious: null });

  const proof = { purpose: 'prove:test', onWrong: async () => undefined } as const;
  for (const { personId, code } of apps) {
    const use = { personId, given: { code: code() }, limitKey: personId, ...proof };
    await expect(consumeFactor(ctx, use)).rejects.toThrow('cannot be opened');
    expect(await consumeFactor(later, use)).toBe('app');
  }
  const opened: string[] = [];
  for (const { uuid, accountId, sealed } of await ctx.db.query.webhookSecrets.findMany()) {
    const row = { table: 'webhook_secrets', uuid, accountId };
    expect(() => ctx.cipher.open(sealed, row)).toThrow('cannot be opened');
    opened.push(later.cipher.open(sealed, row));
  }
  expect(opened.toSorted()).toEqual(secrets.toSorted());
  const headers = await ctx.db.query.webhookHeaders.findMany();
  expect(headers).toHaveLength(apps.length);
  for (const row of headers) {
    expect(() => openHeaders(ctx, row)).toThrow('cannot be opened');
    expect(openHeaders(later, row)).toEqual({ 'X-Key': expect.stringMatching(/^value of /) });
  }
  expect(ctx.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('Remove SECRET_KEY_PREVIOUS') }),
  );
});

test('the start that changes SECRET_KEY keeps the audit log verifiable, without the previous key from then on', async () => {
  const account = await new TestApi(ctx).account();
  const write = async (context: Context) => {
    await context.db.transaction((tx) =>
      recordAudit(tx, {
        accountId: account.id,
        by: { kind: 'system', id: null, name: 'Test' },
        origin: null,
        action: 'account.updated',
        at: ctx.clock.now(),
        target: { kind: 'test', id: '1', name: 'Test' },
      }),
    );
  };
  await write(ctx);
  let latest: Context = ctx;
  for (const changed of [randomBytes(32), randomBytes(32)]) {
    await start({ secretKey: changed, secretKeyPrevious: latest.config.secretKey });
    latest = await start({ secretKey: changed, secretKeyPrevious: null });
    await write(latest);
  }
  expect(await verifyChain(latest, account.id)).toMatchObject({ entries: 3, faultCount: 0 });

  const other = { ...latest, auditKeys: { ...latest.auditKeys, older: [] } };
  expect(await verifyChain(other, account.id)).toMatchObject({
    faults: [
      { kind: 'changed', sequence: 1 },
      { kind: 'changed', sequence: 2 },
    ],
  });
});

async function start(
  keys: Pick<TestContext['config'], 'secretKey' | 'secretKeyPrevious'>,
): Promise<Context> {
  const { database, clock, log } = ctx;
  const started = await bootContext({ config: { ...ctx.config, ...keys }, database, clock, log });
  await started.limiter.close();
  return started;
}
