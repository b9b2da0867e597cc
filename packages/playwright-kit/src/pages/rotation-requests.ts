import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

type Request = { member: string; reason: string; note?: string };

/** Fills in the open dialog to request a rotation, and submits it. */
export async function askForRotation(
  page: Page,
  { member, reason, note = '' }: Request,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Request rotation of / });
  await chooseMember(page, dialog, member);
  await dialog.getByRole('radio', { name: reason }).check();
  await dialog.getByRole('textbox', { name: /^Note/ }).fill(note);
  await dialog.getByRole('button', { name: 'Request rotation' }).click();
}

/**
 * Fills in the open dialog to report a leak, and submits it. The dialog to revoke the key follows.
 */
export async function reportLeak(page: Page, { member }: { member: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Report leak of / });
  await chooseMember(page, dialog, member);
  await dialog.getByRole('button', { name: 'Report leak' }).click();
  const revocation = page.getByRole('alertdialog', { name: /^Revoke / });
  await expect(revocation).toContainText(`${member} was asked to rotate`);
}

/** Chooses whom to ask in an open dialog. */
export async function chooseMember(page: Page, dialog: Locator, member: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Ask' }).click();
  await page.getByRole('combobox', { name: 'Find a member' }).fill(member);
  await page.getByRole('option', { name: new RegExp(`^${member}`) }).click();
}

/** Fills in the reason in the open dialog to decline a request, and declines it. */
export async function declineRequest(
  page: Page,
  { reason, message = '' }: { reason: string; message?: string },
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Decline request' });
  await dialog.getByRole('radio', { name: reason, exact: true }).check();
  await dialog.getByRole('textbox', { name: /^Message to / }).fill(message);
  await dialog.getByRole('button', { name: 'Decline request' }).click();
  await expect(dialog).toBeHidden();
}
