import { expect } from '@playwright/test';
import type { Browser, Locator, Page } from '@playwright/test';
import { tracesOf } from '../checks/traces-of.ts';
import { followLink } from './sign-in.ts';

/** Invites someone on the team page, and returns the link that is shown once. */
export async function invite(
  page: Page,
  { email, role }: { email: string; role: string },
): Promise<string> {
  await page.getByRole('button', { name: 'Invite member' }).click();
  const form = page.getByRole('dialog', { name: 'Invite member' });
  await form.getByRole('textbox', { name: 'Email' }).fill(email);
  await form.getByRole('radio', { name: role, exact: true }).check();
  await form.getByRole('button', { name: 'Invite member' }).click();
  return await readLinkOnce(page, email);
}

/** Makes a new link for a pending invitation on the team page, and returns it. */
export async function renewLink(page: Page, email: string): Promise<string> {
  await pendingOf(page, email)
    .getByRole('button', { name: /^New link/ })
    .click();
  await page.getByRole('button', { name: 'Create new link' }).click();
  return await readLinkOnce(page, email);
}

/** Reads the link of an invitation that is shown, and closes the dialog. */
export async function readLinkOnce(page: Page, email: string): Promise<string> {
  const dialog = linkDialog(page, email);
  const value = dialog.getByRole('textbox', { name: 'Invitation link' });
  await expect(value).toHaveValue(/^http.*\/invitation#[\w-]{43}$/);
  const link = await value.inputValue();
  await dialog.getByRole('checkbox', { name: 'I have saved this link' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  expect(await tracesOf(page, link.split('#')[1] ?? link)).toEqual([]);
  return link;
}

export function linkDialog(page: Page, email: string): Locator {
  return page.getByRole('dialog', { name: `Invitation link for ${email}` });
}

/** The entry of an invitation in the list of pending ones. */
export function pendingOf(page: Page, email: string): Locator {
  return page.getByRole('listitem').filter({ hasText: email });
}

/** Follows a link in another browser context. */
export async function openLink(
  browser: Browser,
  service: { home: string },
  link: string,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.home });
  const page = await context.newPage();
  await followLink(page, link);
  return page;
}
