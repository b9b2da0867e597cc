import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, goTo } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a form or dialog with unsaved input asks before it is left in any way, and a press outside does not close the dialog', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.goto('settings/api-keys');
  await page.getByRole('link', { name: 'Create key' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/api-keys$/);
  await page.getByRole('link', { name: 'Create key' }).click();

  await name.fill('Typed');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectAccessible(page, 'question before a form is left', question(page));
  await stay(page);
  await page.goBack();
  await stay(page);
  await expect(name).toHaveValue('Typed');
  await name.fill('');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/api-keys$/);

  await goTo(page, 'Webhooks');
  await page.getByRole('link', { name: 'Create webhook' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/in');
  await page.getByRole('complementary').getByRole('link', { name: 'Team' }).click();
  await question(page).getByRole('button', { name: 'Leave anyway' }).click();
  await expect(page).toHaveURL(/\/team$/);
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('');
  await page.getByRole('link', { name: 'Cancel' }).click();

  await page.getByRole('link', { name: webhook.name, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Send a test to ${webhook.name}` });
  const data = dialog.getByRole('textbox', { name: 'Data' });
  const discard = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  const open = page.getByRole('button', { name: 'Send test', exact: true });

  await open.click();
  await expect(data).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog, 'nothing was typed yet').toBeHidden();

  await open.click();
  await data.fill('{ "order": 1042 }');
  await page.mouse.click(5, 5);
  await data.press('Escape');
  await expect(discard).toBeVisible();
  await expectAccessible(page, 'question before typed text is discarded', discard);
  await discard.getByRole('button', { name: 'Keep editing' }).click();
  await expect(data).toBeFocused();
  await expect(data).toHaveValue('{ "order": 1042 }');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await discard.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
});

test('a form that was saved does not ask, and Back does not lead to it', async ({
  givenApiKey,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook();
  const key = await givenApiKey();
  const pages = [`settings/webhooks/${webhook.uuid}/settings`, `settings/api-keys/${key.uuid}`];
  for (const path of pages) {
    await page.goto('settings/profile');
    await page.goto(path);
    await page.getByRole('link', { name: 'Edit' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    const renamed = `${await name.inputValue()} renamed`;
    await name.fill(renamed);
    await page.goBack();
    await stay(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('heading', { level: 1, name: renamed, exact: true })).toBeVisible();
    await expect(question(page)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await page.goBack();
    await expect(page).toHaveURL(/\/profile$/);
  }
});

function question(page: Page) {
  return page.getByRole('alertdialog', { name: 'Leave without saving?' });
}

async function stay(page: Page): Promise<void> {
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await expect(question(page)).toBeHidden();
}
