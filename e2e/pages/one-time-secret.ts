import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { choose, rowOf, secretDialog } from 'conversation-service-playwright-kit';
import type { SecretDialog } from 'conversation-service-playwright-kit';

/** How a person closes the dialog, apart from Done. */
export const waysOut = {
  'the close button': async (_: Page, dialog: SecretDialog) => await dialog.close.click(),
  Escape: async (page: Page) => await page.keyboard.press('Escape'),
  Back: async (page: Page) => await page.goBack(),
};

/** Rotates the key once more, from the open list, and returns the token on the screen. */
export async function rotateAgain(page: Page, name: string, shown: string): Promise<string> {
  // Until the list is read again, its row names the previous token, and another rotation is
  // refused.
  await expect(rowOf(page, name)).toContainText(shown.slice(-4));
  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const { value } = secretDialog(page);
  await expect(value).toHaveValue(/^sk_live_/);
  return await value.inputValue();
}

/** After two frames, everything that did not wait is on the screen. */
export async function nextPicture(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}
