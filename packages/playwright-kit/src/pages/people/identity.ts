import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { giveCode } from './sign-in.ts';
import type { Person } from '../../installation.ts';

/** The password prompt while a person is signed in. */
export function proofPrompt(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Confirm it is you' });
}

/** The password prompt after the session has ended. */
export function signInPrompt(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Sign in again' });
}

/** Answers either prompt correctly, and waits until it is gone. */
export async function proveIdentity(
  prompt: Locator,
  { password, totpSecret }: Person,
): Promise<void> {
  if (totpSecret === undefined) await givePassword(prompt, password);
  else {
    await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
    await giveCode(prompt, { key: totpSecret, button: 'Confirm' });
  }
  await expect(prompt).toBeHidden();
}

/** Does something, and gives the password whenever it is asked for. */
export async function whileProvingIdentity<Result>(
  page: Page,
  person: Person,
  act: () => Promise<Result>,
): Promise<Result> {
  const prompt = proofPrompt(page);
  await page.addLocatorHandler(prompt, () => proveIdentity(prompt, person));
  try {
    return await act();
  } finally {
    await page.removeLocatorHandler(prompt);
  }
}

/** Gives a password to either prompt. */
export async function givePassword(prompt: Locator, password: string): Promise<void> {
  await prompt.getByRole('textbox', { name: 'Password' }).fill(password);
  await prompt.getByRole('button', { name: /^(Confirm|Sign in)$/ }).click();
}
