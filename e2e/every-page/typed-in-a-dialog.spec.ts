import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { expectVariantAccessible } from '../pages/checks/accessibility.ts';
import { openWebhook } from '../pages/webhooks.ts';

test('what was typed in a dialog is not lost by a press outside, nor by Escape or X without a question', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  const dialog = page.getByRole('dialog', { name: `Send a test to ${webhook.name}` });
  const data = dialog.getByRole('textbox', { name: 'Data' });
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  const open = page.getByRole('button', { name: 'Send test', exact: true });

  await open.click();
  await expect(data).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog, 'nothing was typed yet').toBeHidden();

  await open.click();
  await data.fill('{ "order": 1042 }');
  await page.mouse.click(5, 5);
  await data.press('Escape');
  await expect(question).toBeVisible();
  await expectVariantAccessible(page, 'question before typed text is discarded', question);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(data).toBeFocused();
  await expect(data).toHaveValue('{ "order": 1042 }');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
});
