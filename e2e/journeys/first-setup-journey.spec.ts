import { expect } from '@playwright/test';
import { bearer, statusOf, writeMessage } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { createFirstKey, createMoreKeys, findKey } from './first-setup-journey/create-keys.ts';
import {
  createByCommand,
  createInForm,
  deleteWebhook,
} from './first-setup-journey/create-webhooks.ts';
import {
  findDeliveries,
  pauseAndResume,
  publishMessages,
  readDelivery,
  sendTests,
} from './first-setup-journey/deliver.ts';
import {
  regenerateSecret,
  rotateKey,
  rotateLeakedKey,
  signaturesOf,
} from './first-setup-journey/replace-secrets.ts';
import { revokeUnusedKey, revokeUsedKey } from './first-setup-journey/revoke-keys.ts';
import { setUpAccount, signOutAndIn } from './first-setup-journey/set-up.ts';

// A separate server, in which nobody exists yet.
test.use({ isSetUp: false });
// A whole day of work in one test.
test.describe.configure({ timeout: 240_000 });

test('an admin’s first day: from the set-up link to a key and a webhook in use, until both have new secrets', async ({
  apiProxy,
  context,
  control,
  guard,
  page,
  playwright,
  receiver,
  request,
  service,
}) => {
  guard.allow(/status of 422/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const home = await setUpAccount(page, service);

  const key = await createFirstKey(page, request);
  const { used, unused } = await createMoreKeys(page, { home, request, service });
  await findKey(page, { sought: key, other: used });

  const apiOf = async (token: string) =>
    await playwright.request.newContext({
      baseURL: service.origin,
      extraHTTPHeaders: bearer(token),
    });
  const api = await apiOf(key.token);
  const going = await createByCommand(page, { api, key });
  const url = `${receiver.url}/orders?from=us`;
  const webhook = await createInForm(page, { api, control, url });
  await deleteWebhook(page, { api, going, next: webhook });

  const delivering = { api, apiProxy, control, receiver, webhook };
  await page.getByRole('link', { name: webhook.name, exact: true }).click();
  await sendTests(page, delivering);
  const refused = await publishMessages(page, delivering);
  await readDelivery(page, delivering, refused);
  await findDeliveries(page, delivering);
  await pauseAndResume(page, delivering);
  await regenerateSecret(page, delivering);

  const { replaced, newest } = await rotateKey(page, { apiProxy, request, key });
  const leaked = await rotateLeakedKey(page, { request, key: used });
  await test.step('after their grace periods, old tokens and the old secret have ended', async () => {
    await control.moveClock({ ms: 3_700_000 });
    const byNewest = await apiOf(newest);
    for (const [token, status] of [
      [key.token, 401],
      [replaced, 401],
      [newest, 200],
    ] as const) {
      expect(await statusOf(request, token)).toBe(status);
    }
    const before = receiver.requests.length;
    await writeMessage(byNewest, 'Signed once.');
    expect(signaturesOf(await receiver.received(before + 1))).toHaveLength(1);
    await byNewest.dispose();
  });

  await revokeUsedKey(page, { request, key: { ...used, token: leaked } });
  await revokeUnusedKey(page, { request, key: unused });
  await signOutAndIn(page, service);
  await api.dispose();
});
