import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  choose,
  readSecretOnce,
  rowOf,
  secretDialog,
  signIn,
  submitApiKey,
  submitWebhook,
  tracesOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { recordResponses } from '../helpers/record-responses.ts';

test('each secret is in one response, to the act that created it, and stays nowhere', async ({
  control,
  named,
  page,
  service,
}) => {
  // So that the service logs all that it can.
  await control.change({ logLevel: 'trace' });
  const { responses, unread } = await recordResponses(page);
  const key = named('Production');
  const webhook = named('Notifier');
  const made: string[] = [];

  async function readAndForget(): Promise<void> {
    const secret = await readSecretOnce(page);
    made.push(secret);
    expect(await tracesOf(page, secret), 'after closing').toEqual([]);
    // A response that a page no longer waits for could not be read.
    await page.waitForLoadState('networkidle');
  }

  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  await page.waitForLoadState('networkidle');
  await submitApiKey(page, { name: key });
  await readAndForget();
  await choose(page, key, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${key}`, exact: true }).click();
  await readAndForget();
  // So low that the code that verifies signatures is not open at first.
  await page.setViewportSize({ width: 1280, height: 640 });
  await submitWebhook(page, { name: webhook, url: 'https://example.com/webhooks' });
  await expect(secretDialog(page).root).toHaveAccessibleName(`New signing secret for ${webhook}`);
  await expectCodeWithoutSecret(page);
  await readAndForget();
  await choose(page, webhook, 'Regenerate secret');
  await page.getByRole('button', { name: 'Regenerate secret' }).click();
  await readAndForget();

  // Repeats everything that could bring a secret back.
  await page.reload();
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await expect(rowOf(page, key)).toBeVisible();
  expect(await tracesOf(page, ...made)).toEqual([]);
  expect(await tracesOf(page, key), 'what is searched').toContain('query cache');

  expect(unread).toEqual([]);
  expect(responses.some(({ text, type }) => type === 'Document' && text.includes('API keys'))).toBe(
    true,
  );
  expect(made.map((secret) => secret.split('_')[0])).toEqual(['sk', 'sk', 'whsec', 'whsec']);
  for (const secret of made) {
    const carriers = responses.filter(({ text }) => text.includes(bare(secret)));
    expect(carriers.map(({ isAction }) => isAction)).toEqual([true]);
  }

  const cookies = await page.context().cookies();
  const valueOf = (wanted: string) =>
    decodeURIComponent(cookies.find(({ name }) => name === wanted)?.value ?? '');
  const [session, device] = [valueOf('session'), valueOf('device')];
  const neverInAResponse = {
    'the dashboard credential': service.credential,
    "the first key's token": service.token,
    'the password': service.owner.password,
    'the session': session,
    'the device': device,
    'the name of the setting with the credential': 'DASHBOARD_CREDENTIAL',
  };
  for (const [what, secret] of Object.entries(neverInAResponse)) {
    const carriers = responses.filter(({ text }) => text.includes(bare(secret)));
    expect(
      carriers.map(({ url }) => url),
      what,
    ).toEqual([]);
  }

  const cacheable = responses.filter(
    ({ url, cacheControl }) => !url.includes('/icon.svg') && !cacheControl.includes('no-store'),
  );
  expect(cacheable.map(({ url }) => url)).toEqual([]);

  const logged = service.server.output();
  expect(logged).toContain('"msg":"request"');
  const { credential, token, owner } = service;
  for (const secret of [...made, credential, token, owner.password, session, device]) {
    expect(logged.includes(bare(secret)), 'a secret in the log').toBe(false);
  }
  await expectFilesWithoutSecrets();
});

/** The files that every browser gets contain no secret. */
async function expectFilesWithoutSecrets(): Promise<void> {
  const folder = fileURLToPath(new URL('../../.next/static', import.meta.url));
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path, text: await readFile(path, 'utf8') };
      }),
  );
  expect(texts.length).toBeGreaterThan(5);
  const secret = /sk_live_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z+/]{32}|DASHBOARD_CREDENTIAL/;
  expect(texts.filter(({ text }) => secret.test(text)).map(({ path }) => path)).toEqual([]);
}

/** The dialog has code that uses the signing secret without containing it. */
async function expectCodeWithoutSecret(page: Page): Promise<void> {
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^whsec_/);
  await expect(dialog.status).toBeAttached();
  const secret = await dialog.value.inputValue();
  await dialog.root.getByText('How your server verifies signatures').click();
  for (const language of ['Node', 'Python', 'curl']) {
    await dialog.root.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: language, exact: true }).click();
    const code = dialog.root.getByRole('region', {
      name: new RegExp(`with ${language}|for ${language}`),
    });
    await expect(code).toContainText('MESSAGING_WEBHOOK_SECRET');
    await expect(code).not.toContainText(bare(secret));
  }
}

/** Without its prefix, which is not secret and might be cut off. */
function bare(secret: string | null | undefined): string {
  if (!secret) throw new Error('there is nothing to look for');
  return secret.replace(/^(sk_live|whsec)_/, '');
}
