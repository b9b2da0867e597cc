import type { Page } from '@playwright/test';

export type Person = { email: string; password: string };

/** Fills in the sign-in form that is open and sends it. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}
