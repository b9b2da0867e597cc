import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { totp, untilNextCode } from '../../helpers/totp.ts';

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
