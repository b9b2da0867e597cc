import type { Page } from '@playwright/test';

/** Opens a link with a token, and binds it to the browser of the page. */
export async function followLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
}
