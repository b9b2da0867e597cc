import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Person } from '../../installation.ts';
import { totp, untilNextCode } from '../../totp.ts';

/** Fills in the open sign-in form and submits it. */
export async function signIn(page: Page, { email, password, totpSecret }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (totpSecret !== undefined) {
    await giveCode(page.locator('main'), { key: totpSecret, button: 'Sign in' });
  }
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** The path and fragment of the one link to a page of the service in an email. */
export function linkIn(mail: string, page: string): string {
  const [link] = new RegExp(`/${page}#[\\w-]{43}`).exec(mail) ?? [];
  if (link === undefined) throw new Error(`The email has no link to /${page}.`);
  return link;
}

/** Opens a link with a token, and binds it to the browser of the page. */
export async function followLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/**
 * Gives a code of an authenticator app and waits until it is accepted. A code works only once, so
 * if the current code was used already, this waits for the next one.
 *
 * @param factor.key of the app, in base32
 */
export async function giveCode(
  root: Locator,
  { key, button }: { key: string; button: string },
): Promise<void> {
  const field = root.getByRole('textbox', { name: 'Code' });
  await expect(async () => {
    await field.fill(totp(key, Date.now()));
    await root.getByRole('button', { name: button }).click();
    await expect(field).toBeHidden({ timeout: 3000 });
  }).toPass({ intervals: [untilNextCode(Date.now())], timeout: 40_000 });
}
