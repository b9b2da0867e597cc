import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { consumeFactor } from '../domain/people/second-factors/consume-factor.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';
import { addPerson } from '../testing/records/people.ts';
import { addApp } from '../testing/records/second-factors.ts';
import { bootContext } from './boot-context.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.dispose());

test('the start that changes SECRET_KEY leaves authenticator apps in use, and needs the previous key no more', async () => {
  const { id: personId, email } = await addPerson(ctx);
  const { code } = await addApp(ctx, { personId, email });

  const previous = ctx.config.secretKey;
  const changed = randomBytes(32);
  await start({ secretKey: changed, secretKeyPrevious: previous });
  const later = await start({ secretKey: changed, secretKeyPrevious: null });

  const use = { personId, given: { code: code() }, limitKey: personId };
  expect(await consumeFactor(later, use)).toBe('app');
});

async function start(
  keys: Pick<TestContext['config'], 'secretKey' | 'secretKeyPrevious'>,
): Promise<Context> {
  const { database, clock, log } = ctx;
  const started = await bootContext({ config: { ...ctx.config, ...keys }, database, clock, log });
  await started.limiter.close();
  return started;
}
