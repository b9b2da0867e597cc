import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { totp } from '../../totp.ts';
import { tracesOf } from '../checks/traces-of.ts';

/**
 * An authenticator app that was set up: `code` is what it shows when the service's clock is
 * `aheadMs` ahead.
 */
export type App = { key: string; code: (aheadMs?: number) => string };

/**
 * Sets up an authenticator app on the open Security page; the dialog with recovery codes is open
 * then if it is the first factor.
 */
export async function setUpApp(page: Page, aheadMs = 0): Promise<App> {
  await page.getByRole('button', { name: 'Set up app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
  const shown = await dialog.locator('code').innerText();
  const key = shown.replaceAll(/\s/g, '');
  const code = (ms = 0) => totp(key, Date.now() + ms);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code(aheadMs));
  await dialog.getByRole('button', { name: 'Turn on app' }).click();
  await expect(dialog).toBeHidden();
  expect(await tracesOf(page, shown, key)).toEqual([]);
  return { key, code };
}

/** The dialog that shows recovery codes once. */
export function recoveryCodesDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'New recovery codes' });
}

/** Reads the recovery codes that are shown, ticks "saved", and closes the dialog. */
export async function readRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = recoveryCodesDialog(page);
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByRole('checkbox', { name: 'I have saved these codes' }).check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  // In one reading of the page: each reading serializes the whole document.
  expect(await tracesOf(page, ...codes)).toEqual([]);
  return codes;
}

/**
 * Adds a virtual authenticator to the page's browser, which responds immediately, like a
 * fingerprint.
 */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
