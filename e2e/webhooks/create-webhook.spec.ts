import { expect } from '@playwright/test';
import {
  expectAccessible,
  menuOf,
  openWebhooks,
  readSecretOnce,
  readWebhook,
  rowOf,
  secretDialog,
  submitWebhook,
  uuidOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

test('a webhook stays inactive if it is left before its secret is saved, and the list finishes its set-up', async ({
  api,
  named,
  signedIn: page,
}) => {
  await test.step('it is left before its secret is saved', async () => {
    const name = named('Half made');
    await submitWebhook(page, { name, url: 'https://example.com/half' });
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    const unsaved = await dialog.value.inputValue();
    await dialog.close.click();
    await page.getByRole('button', { name: 'Close anyway' }).click();

    await expect(page).toHaveURL('settings/webhooks');
    await expect(page.getByRole('link', { name, exact: true })).toBeFocused();
    const uuid = await uuidOf(api, name);
    expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
    await page.getByRole('button', { name: `Finish set-up of ${name}` }).click();
    const secret = await readSecretOnce(page);
    expect(secret).not.toBe(unsaved);
    await expect(rowOf(page, name)).toContainText('Active');
    await expect(menuOf(page, name)).toBeFocused();
    expect(await readWebhook(api, uuid)).toMatchObject({ is_active: true });
  });

  // `unconfirmed-secret.spec.ts` shows the same of a token.
  await test.step('its secret was replaced while it was shown', async () => {
    const name = named('Raced');
    await submitWebhook(page, { name, url: 'https://example.com/raced' });
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    const uuid = await uuidOf(api, name);
    const replaced = await api.post(`/api/v1/webhooks/${uuid}/regenerate-secret`, {
      data: { grace_period_seconds: 0 },
    });
    expect(replaced.status()).toBe(201);

    await dialog.saved.check();
    await dialog.done.click();
    await expect(dialog.root.getByRole('alert')).toContainText('Do not use this secret');
    await expect(dialog.value).toBeHidden();
    await expectAccessible(page, 'a secret that was replaced while it was shown', dialog.root);
    await page.keyboard.press('Escape');
    await expect(dialog.root).toBeHidden();
    await expect(page).toHaveURL('settings/webhooks');
    await expect(page.getByRole('button', { name: `Finish set-up of ${name}` })).toBeVisible();
    expect(await readWebhook(api, uuid)).toMatchObject({ is_active: false });
  });
});

test('a set-up that someone else began a few minutes ago is finished only after a second press; the question goes away once they finish it', async ({
  api,
  browser,
  named,
  service,
  signedIn: page,
}) => {
  const [name, other] = [named('Shared'), named('Finished')];
  const ida = await addMember(service, { name: 'ida', role: 'admin' });
  const idas = await pageOf(browser, service, { ...ida, address: 'settings/webhooks' });
  const shownToIda = secretDialog(idas);
  const finish = async (webhook: string) => {
    await submitWebhook(idas, { name: webhook, url: 'https://example.com/shared' });
    await expect(shownToIda.value).toHaveValue(/^whsec_/);
    await openWebhooks(page);
    await page.getByRole('button', { name: `Finish set-up of ${webhook}` }).click();
    const title = `ida may be finishing the set-up of ${webhook}`;
    return page.getByRole('alert').filter({ hasText: title });
  };
  await page.clock.install();
  const question = await finish(name);
  await expect(question).toContainText('A secret was shown to ida');
  await question.getByRole('button', { name: 'Show a new secret' }).click();
  await readSecretOnce(page);
  await expect(rowOf(page, name)).toContainText('Active');
  await shownToIda.saved.check();
  await shownToIda.done.click();
  await expect(shownToIda.root.getByRole('alert')).toContainText('Do not use this secret');
  expect(await readWebhook(api, await uuidOf(api, name))).toMatchObject({ is_active: true });

  const outdated = await finish(other);
  await expect(outdated).toContainText('If you show a new one, that secret ends after 24 hours.');
  await readSecretOnce(idas);
  await expect(idas.getByRole('heading', { level: 1, name: other })).toBeVisible();
  // The list is read again every 30 s.
  await page.clock.runFor(31_000);
  await expect(rowOf(page, other)).toContainText('Active');
  await expect(outdated).toBeHidden();
  await idas.context().close();
});
