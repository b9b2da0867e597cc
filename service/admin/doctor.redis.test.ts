import { expect, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { openRedisProxy } from '../testing/databases/redis-proxy.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('a Redis that responds in time is ok, and one that responds later than it may is wrong', async () => {
  const proxy = await openRedisProxy(process.env['TEST_REDIS_URL'] ?? '');
  const settings = {
    DATA_DIR: temporaryFolder(),
    PUBLIC_URL: 'http://127.0.0.1:9',
    REDIS_URL: proxy.url,
  };
  const patient = { ...settings, REDIS_TIMEOUT_MS: '5000' };
  expect((await runAdmin(['doctor'], patient)).text).toMatch(/^ok +Redis +runs scripts/m);
  proxy.slowDown(200);
  const strict = { ...settings, REDIS_TIMEOUT_MS: '100' };
  expect((await runAdmin(['doctor'], strict)).text).toMatch(
    /^wrong +Redis +It took \d+ ms to respond.*raise REDIS_TIMEOUT_MS/m,
  );
  await proxy.close();
});
