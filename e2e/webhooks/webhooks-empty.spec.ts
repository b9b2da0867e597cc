import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { openWebhooks } from '../pages/webhooks.ts';

const run = promisify(execFile);

test.skip(isRemote, 'needs an account without webhooks');
test.skip(spawnSync('curl', ['--version']).error !== undefined, 'needs curl');

test('with no webhooks yet, the list shows a command that makes one as it stands', async ({
  service,
  signedIn: page,
}) => {
  await openWebhooks(page);
  await expect(page.getByRole('heading', { level: 2, name: 'No webhooks yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create webhook' })).toHaveCount(1);
  await expectAccessible(page, 'no webhooks');
  const command = page.getByRole('region', { name: 'Or create one with an API key' });
  const env = { ...process.env, MESSAGING_API_KEY: service.token ?? '', no_proxy: '*' };
  const { stdout } = await run('sh', ['-c', (await command.textContent()) ?? ''], { env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { status: 'active' } });

  await page.reload();
  await expect(page.getByRole('rowheader', { name: 'Order notifier' })).toBeVisible();
});
