import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { fullTest, test } from '../fixtures.ts';
import { expectAccessible } from '../pages/checks/accessibility.ts';
import { goTo } from '../pages/follow-sidebar-link.ts';

test('a form with unsaved input asks before it is left in any way', async ({ signedIn: page }) => {
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
});

fullTest(
  'a form that was saved does not ask, and Back does not lead to it',
  async ({ givenApiKey, givenWebhook, signedIn: page }) => {
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
      await expect(
        page.getByRole('heading', { level: 1, name: renamed, exact: true }),
      ).toBeVisible();
      await expect(question(page)).toBeHidden();
      await page.goBack();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await page.goBack();
      await expect(page).toHaveURL(/\/profile$/);
    }
  },
);

function question(page: Page) {
  return page.getByRole('alertdialog', { name: 'Leave without saving?' });
}

async function stay(page: Page): Promise<void> {
  await question(page).getByRole('button', { name: 'Stay' }).click();
  await expect(question(page)).toBeHidden();
}
