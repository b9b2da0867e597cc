import { expect, test } from 'vitest';
import { startService } from '../testing/processes/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('a service that was stopped has written a line for each request it completed', async () => {
  const service = await startService({ DATA_DIR: temporaryFolder(), LOG_LEVEL: 'info' });
  const ids = Array.from({ length: 50 }, (_, index) => `stopped-${index}`);
  for (const id of ids) {
    const headers = { 'X-Request-Id': id };
    const response = await fetch(`${service.origin}/api/v1/api-key`, { headers });
    expect(response.status).toBe(401);
  }
  service.stop();
  expect(await service.ended()).toBe(0);
  const lines = service.output().matchAll(/"request_id":"(stopped-\d+)".*"status":401/g);
  expect(Array.from(lines, ([, id]) => id)).toEqual(ids);
});
