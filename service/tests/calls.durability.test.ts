import { expect, test } from 'vitest';
import { startService } from '../testing/processes/service-process.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';
import { newToken } from '../tokens/token.ts';

const dataDir = useTemporaryFolder();
const token = newToken();

test('a crash loses only the counts of the last seconds: calls that a key’s usage shows survive it', async () => {
  const start = () =>
    startService({
      DATA_DIR: dataDir,
      INIT_ADMIN_EMAIL: 'ida@example.com',
      INIT_ADMIN_PASSWORD: newToken(),
      INIT_API_KEY: token,
    });
  let service = await start();
  const read = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.origin}/api/v1${path}`, { headers });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: unknown }).data;
  };
  try {
    const { uuid } = (await read('/api-key')) as { uuid: string };
    const callsOfWebhooks = async () => {
      const { routes } = (await read(`/api-keys/${uuid}/usage`)) as {
        routes: { path: string; succeeded: number }[];
      };
      return routes.find(({ path }) => path === '/api/v1/webhooks')?.succeeded ?? 0;
    };
    for (let made = 0; made < 3; made += 1) await read('/webhooks');
    // Counts are written every 10 seconds, on a machine that is not busy.
    await expect.poll(callsOfWebhooks, { interval: 200, timeout: 60_000 }).toBe(3);
    await service.kill();
    service = await start();
    expect(await callsOfWebhooks()).toBe(3);
  } finally {
    await service.kill();
  }
}, 120_000);
