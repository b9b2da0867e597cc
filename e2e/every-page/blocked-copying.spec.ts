import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('where pages cannot copy, as over plain http, a copy button shows its text selected', async ({
  givenApiKey,
  signedIn: page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
  });
  const key = await givenApiKey();
  await page.goto(`settings/api-keys/${key.uuid}`);

  for (const [label, text] of [
    [`Copy key ID of ${key.name}`, key.uuid],
    ['Copy command', 'curl '],
  ] as const) {
    const button = page.getByRole('button', { name: label });
    await button.click();
    const dialog = page.getByRole('dialog', { name: label });
    await expect(dialog).toContainText('The text is selected: press Ctrl/⌘ C.');
    await expect(dialog.getByRole('textbox')).toBeFocused();
    expect(await selectedText(page)).toContain(text);
    if (text === 'curl ') await expectAccessible(page, 'what could not be copied', dialog);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  }
});

async function selectedText(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const field = document.activeElement as HTMLTextAreaElement;
    return field.value.slice(field.selectionStart, field.selectionEnd);
  });
}
