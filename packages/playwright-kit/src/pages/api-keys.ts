import { expect } from '@playwright/test';
import type { APIRequestContext, Locator, Page } from '@playwright/test';

/** In the words of the API. */
export type ApiKeyInForm = {
  name: string;
  type?: 'full' | 'limited' | 'webhook' | 'bot';
  /**
   * The scopes to tick, such as `webhooks:read`; for every type but `full`. If left out, a webhook
   * or bot key has those that the form preselects.
   */
  scopes?: readonly string[];
  /** To the minute, as the form accepts it; if left out, the key never expires. */
  expiresAt?: Date;
};

/** When a replaced token or secret ends: the choices of the dialogs. */
export type OldOneEnds = 'Now' | 'In 1 hour' | 'In 24 hours' | 'In 7 days';

export async function openApiKeys(page: Page): Promise<void> {
  await page.goto('settings/api-keys');
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
}

/** The row of a key, webhook or person whose whole name is this one. */
export function rowOf(page: Page, name: string): Locator {
  // Not the name of the heading: it includes addresses and IDs, in which a short name may occur. Nor
  // all text of an element: that of the reader's own name includes "You".
  const text = page.locator(`text=${JSON.stringify(name)}`);
  const named = page.getByRole('rowheader').filter({ has: text });
  return page.getByRole('row').filter({ has: named });
}

export function menuOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Actions for ${name}`, exact: true });
}

/** Chooses an action from the menu of a row. */
export async function choose(page: Page, name: string, act: string): Promise<void> {
  await menuOf(page, name).click();
  const item = page.getByRole('menuitem', { name: act });
  await expect(item).toBeVisible();
  // On a busy machine the menu may still be moving, and a press then misses.
  await expect(async () => {
    if (await item.isVisible()) await item.click({ timeout: 2000 });
    await expect(item).toBeHidden({ timeout: 1000 });
  }).toPass();
}

/** Fills in the form for a new key and submits it; the token's dialog follows. */
export async function submitApiKey(page: Page, key: ApiKeyInForm): Promise<void> {
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(key.name);
  await choiceOf(page, 'type', key.type ?? 'full').check();
  if (key.scopes !== undefined) await tickScopes(page, key.scopes);
  if (key.expiresAt !== undefined) {
    await page.getByRole('radio', { name: 'On a date' }).check();
    await page.getByLabel('Date and time').fill(await inLocalTime(page, key.expiresAt));
  }
  await page.getByRole('button', { name: 'Create key' }).click();
}

/** Ticks these scopes only. */
async function tickScopes(page: Page, scopes: readonly string[]): Promise<void> {
  // From the last to the first: a scope that includes another comes after it.
  for (const box of (await page.locator('input[name="scopes"]').all()).toReversed()) {
    const scope = (await box.getAttribute('value')) ?? '';
    if (await box.isEnabled()) await box.setChecked(scopes.includes(scope));
  }
}

/** Opens the dialog to rotate, from the list. */
export async function openRotation(page: Page, name: string): Promise<Locator> {
  await openApiKeys(page);
  await choose(page, name, 'Rotate token');
  const question = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(question).toBeVisible();
  return question;
}

/** Rotates from the list; the new token's dialog follows. */
export async function submitRotation(
  page: Page,
  name: string,
  oldTokenEnds: OldOneEnds = 'In 24 hours',
): Promise<void> {
  const question = await openRotation(page, name);
  await question.getByRole('radio', { name: oldTokenEnds }).check();
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
}

/** The headers with which a client calls the API as a key. */
export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** The status of the API's response to a call with this token. */
export async function statusOf(request: APIRequestContext, token: string): Promise<number> {
  return (await request.get('/api/v1/api-key', { headers: bearer(token) })).status();
}

/** The radio button or checkbox of a form for a value of the API. */
export function choiceOf(page: Page, field: string, word: string): Locator {
  return page.locator(`input[name="${field}"][value="${word}"]`);
}

/** The value of a `datetime-local` field, in the time zone of the page. */
async function inLocalTime(page: Page, date: Date): Promise<string> {
  return await page.evaluate((time) => {
    const offset = new Date(time).getTimezoneOffset() * 60_000;
    return new Date(time - offset).toISOString().slice(0, 16);
  }, date.getTime());
}

/** Follows a link of the sidebar. */
export async function goTo(
  page: Page,
  name: 'API keys' | 'Webhooks' | 'Team' | 'Account',
): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Settings' });
  await sidebar.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}
