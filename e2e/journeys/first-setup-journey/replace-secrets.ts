import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  bearer,
  choose,
  expectAccessible,
  goTo,
  menuOf,
  readSecretOnce,
  readWebhook,
  rowOf,
  secretDialog,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { ReceivedRequest, Receiver } from 'conversation-service-playwright-kit';
import { hourMs } from '#lib/durations.ts';
import { test } from '../../fixtures.ts';
import type { ApiProxy } from '../../helpers/servers/api-proxy.ts';
import type { Key } from './create-keys.ts';
import type { SignedWebhook } from './create-webhooks.ts';

type Regenerating = { api: APIRequestContext; receiver: Receiver; webhook: SignedWebhook };

/** Regenerates a secret in the list, with an hour for the old one, and returns the new one. */
export async function regenerateSecret(
  page: Page,
  { api, receiver, webhook: { name, uuid, secret: old } }: Regenerating,
): Promise<void> {
  const secretOf = async () => (await readWebhook(api, uuid)).secret;
  const question = page.getByRole('dialog', { name: `Regenerate secret of ${name}`, exact: true });
  await goTo(page, 'Webhooks');

  const secret =
    await test.step('a signing secret is regenerated, and the dialog says until when the old one signs', async () => {
      await choose(page, name, 'Regenerate secret');
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await expectAccessible(page, 'regenerate', question);
      const ends = question.getByRole('group', { name: 'The old secret ends' });
      await ends.getByRole('radio', { name: 'In 1 hour' }).check();
      await expect(ends).toHaveAccessibleDescription(/both secrets sign/);
      await question.getByRole('button', { name: 'Regenerate secret' }).click();
      const dialog = secretDialog(page);
      await expect(dialog.value).toHaveValue(/^whsec_[A-Za-z0-9+/]{42,}=*$/);
      const { previous_valid_until: end } = await secretOf();
      expect((Date.parse(end ?? '') - Date.now()) / 60_000).toBeCloseTo(60, -1);
      const shown = dialog.root.getByRole('time').and(page.locator(`[datetime="${end}"]`));
      await expect(shown).toBeVisible();
      const value = await dialog.value.inputValue();
      await dialog.close.click();
      await page.getByRole('button', { name: 'Close anyway' }).click();
      await expect(menuOf(page, name)).toBeFocused();
      return value;
    });

  await test.step('if it is closed without Done, the secret is unconfirmed until the person says that they have it; the list says until when the old one signs', async () => {
    const unsaved = 'Secret not confirmed';
    await expect(rowOf(page, name)).toContainText(unsaved);
    const panel = page.getByRole('region', { name: 'Signing secret not confirmed' });
    await api.patch(`/api/v1/webhooks/${uuid}`, { data: { is_active: false } });
    await page.reload();
    await expect(rowOf(page, name)).toContainText('Paused');
    await expect(rowOf(page, name), 'a paused webhook says so too').toContainText(unsaved);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(panel).toContainText('will be signed with it once the webhook is resumed');
    await panel.getByRole('button', { name: 'Show a new secret' }).click();
    await expect(question).toContainText('The current secret was never confirmed');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await api.patch(`/api/v1/webhooks/${uuid}`, { data: { is_active: true } });
    await panel.getByRole('button', { name: 'I have this secret' }).click();
    await expect(panel).toBeHidden();
    expect(await secretOf()).toMatchObject({ was_shown: true, unconfirmed: null });
    await goTo(page, 'Webhooks');
    await expect(rowOf(page, name)).toContainText(/Old secret until \d/);
  });

  await test.step('during the grace period both the old and the new secret sign', async () => {
    const before = receiver.requests.length;
    await writeMessage(api, 'Signed twice.');
    const request = await receiver.received(before + 1);
    expect([old, secret].map((known) => receiver.verify(request, known))).toEqual([true, true]);
    expect(signaturesOf(request)).toHaveLength(2);
  });
}

type Rotating = { apiProxy: ApiProxy; request: APIRequestContext };

/** Rotates a key in the list twice, and returns the newest token. */
export async function rotateKey(
  page: Page,
  { apiProxy, request, key }: Rotating & { key: Key },
): Promise<{ replaced: string; newest: string }> {
  const { name, token: first } = key;
  const ask = (token: string) => request.get('/api/v1/api-key', { headers: bearer(token) });
  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  const cancel = question.getByRole('button', { name: 'Cancel' });
  const ends = question.getByRole('group', { name: 'The old token ends' });
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  const line = (token: string) =>
    question.getByRole('listitem').filter({ hasText: `…${token.slice(-4)}` });

  const { promise: isRotatedAgain, resolve: letListBeRead } = Promise.withResolvers<void>();
  const second =
    await test.step('the dialog to rotate has the focus on Cancel and says what happens to each token; the old token works until the chosen time, the new one without an end', async () => {
      await goTo(page, 'API keys');
      await expect(rowOf(page, name)).toBeVisible();
      apiProxy.respondTo('GET', /^\/api\/v1\/api-keys(\?|$)/, async ({ pass }) => {
        await isRotatedAgain;
        return await pass();
      });
      await choose(page, name, 'Rotate token');
      await expect(cancel).toBeFocused();
      await expect(ends.getByRole('radio', { name: 'In 24 hours' })).toBeChecked();
      await expect(ends).toHaveAccessibleDescription(/until \d+ \w{3} \d{4}, \d\d:\d\d UTC/);
      await expect(line(first)).toContainText(/Works until \d/);
      await ends.getByRole('radio', { name: 'Now' }).check();
      await expect(ends).toHaveAccessibleDescription(/rejected with 401 immediately/);
      await expect(line(first)).toContainText('Ends immediately');
      expect((await ask(first)).headers()['api-key-expires']).toBeUndefined();
      await ends.getByRole('radio', { name: 'In 1 hour' }).check();
      await rotate.click();
      const token = await readSecretOnce(page);
      const byOld = await ask(first);
      expect(byOld.status()).toBe(200);
      const end = Date.parse(byOld.headers()['api-key-expires'] ?? '');
      expect((end - Date.now()) / hourMs).toBeCloseTo(1, 1);
      const byNew = await ask(token);
      expect(byNew.status()).toBe(200);
      expect(byNew.headers()['api-key-expires']).toBeUndefined();
      return token;
    });

  return await test.step('a key can be rotated again before the list is read again; a confirmed token that was never used gets its grace period', async () => {
    const row = rowOf(page, name);
    await expect(row).toContainText(second.slice(-4));
    await choose(page, name, 'Rotate token');
    await ends.getByRole('radio', { name: 'In 1 hour' }).check();
    await rotate.click();
    await expect(secretDialog(page).value).toHaveValue(/^sk_live_/);
    letListBeRead();
    const newest = await readSecretOnce(page);
    await expect(row).toContainText('Rotating');
    await expect(row).toContainText(newest.slice(-4));
    await expect(row).toContainText(/2 old tokens until \d/);
    await expectAccessible(page, 'keys');
    await choose(page, name, 'Rotate token');
    const oldEnd = question.getByRole('group', { name: `…${newest.slice(-4)} ends` });
    await expect(oldEnd.getByRole('radio', { name: 'In 24 hours' })).toBeChecked();
    for (const kept of [newest, second, first]) {
      await expect(line(kept)).toContainText(/Works until \d/);
    }
    await expectAccessible(page, 'rotate', question);
    await oldEnd.getByRole('radio', { name: 'Now' }).check();
    for (const known of [newest, second, first]) {
      await expect(line(known)).toContainText('Ends immediately');
    }
    await cancel.click();
    return { replaced: second, newest };
  });
}

/** Rotates a key whose token leaked, in the open list, and returns the new token. */
export async function rotateLeakedKey(
  page: Page,
  { request, key }: { request: APIRequestContext; key: Key },
): Promise<string> {
  return await test.step('with Now the old token ends immediately', async () => {
    const ask = (token: string) => request.get('/api/v1/api-key', { headers: bearer(token) });
    await choose(page, key.name, 'Rotate token');
    await page.getByRole('radio', { name: 'Now' }).check();
    await page.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    const token = await readSecretOnce(page);
    expect((await ask(key.token)).status()).toBe(401);
    expect((await ask(token)).status()).toBe(200);
    await expect(rowOf(page, key.name)).toContainText('Active');
    return token;
  });
}

/** The signatures of a request: one for each secret that signed it. */
export function signaturesOf({ headers }: ReceivedRequest): string[] {
  return String(headers['webhook-signature']).split(' ');
}
