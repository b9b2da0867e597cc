import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie, Locator, Page } from '@playwright/test';
import type { Control } from '../../helpers/control/control.ts';
import { giveCode } from './sign-in.ts';
import type { Person } from './sign-in.ts';

/** The service's dashboard credential; null if the suite did not choose it. */
type Credential = { credential: string | null };

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

/** The headers that the dashboard's server would send for the browser with these cookies. */
export function asDashboard(
  service: Credential,
  cookies: readonly Cookie[],
): Record<string, string> {
  const session = cookies.find(({ name }) => name === 'session');
  return {
    Authorization: `Bearer ${service.credential}`,
    'X-Dashboard-Session': decodeURIComponent(session?.value ?? ''),
  };
}

/** Makes sensitive acts need the password again, by moving the service's clock. */
export async function expireProof(control: Pick<Control, 'moveClock'>): Promise<void> {
  await control.moveClock({ ms: proofLastsMs + 1000 });
}

/** How long a proof is fresh by default, without REAUTH_SECONDS. */
const proofLastsMs = 1_800_000;

/** Ends the session on the service, as from another device; the browser does not notice. */
export async function endOnService(
  request: APIRequestContext,
  { service, cookies }: { service: Credential; cookies: readonly Cookie[] },
): Promise<void> {
  const headers = asDashboard(service, cookies);
  const response = await request.delete('/api/dashboard/session', { headers });
  expect(response.status()).toBe(204);
}

/**
 * Presses a control after the session has ended. A read of the page may have asked to sign in
 * already, with a prompt in front of the control.
 */
export async function pressAfterSessionEnd(control: Locator): Promise<void> {
  await control.evaluate((element: HTMLElement) => element.click());
}
