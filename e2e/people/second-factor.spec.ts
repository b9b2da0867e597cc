import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { expectAccessible } from '../pages/every-look.ts';
import { letProofGetOld, proofPrompt } from '../pages/identity.ts';
import { runAdmin } from '../support/operator.ts';
import {
  addVirtualAuthenticator,
  readRecoveryCodes,
  recoveryCodesDialog,
  setUpApp,
} from '../pages/second-factors.ts';
import { signIn, signOut } from '../pages/sign-in.ts';

test.use({ accountName: 'Factors Ltd' });
test.skip(isRemote, 'moves the clock of the service');

const step = 30_000;

test('a second factor is set up once, and asked for at sign-in and before sensitive acts: app, recovery code, passkey', async ({
  context,
  control,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 403/);
  await page.goto('settings/security');
  await expect(page.getByText('Second factor is off')).toBeVisible();
  const app = await setUpApp(page);
  await expectAccessible(page, 'recovery codes', recoveryCodesDialog(page));
  const [recoveryCode = ''] = await readRecoveryCodes(page);
  await expect(page.getByText('Second factor is on')).toBeVisible();
  await expect(page.getByText('10 of 10 codes left')).toBeVisible();
  await expect(page.getByText(recoveryCode)).toBeHidden();

  await signOut(page);
  await signIn(page, service.owner);
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(code).toHaveAccessibleDescription(/^This code is wrong or was used already/);
  await expectAccessible(page, 'sign-in with a second factor');
  // Each code counts once.
  await control.moveClock({ ms: step });
  await code.fill(app.code(step));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('settings/api-keys');

  await context.clearCookies({ name: 'session' });
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('settings/api-keys');

  await addVirtualAuthenticator(page);
  await page.goto('settings/security');
  await expect(page.getByText('9 of 10 codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add passkey' });
  await adding.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await adding.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByText('The passkey Laptop was added.')).toBeVisible();
  await expectAccessible(page, 'security with second factors');

  await signOut(page);
  await signIn(page, service.owner);
  await usePasskey(page);
  await expect(page).toHaveURL('settings/api-keys');

  await letProofGetOld(control);
  await page.goto('settings/security');
  await page.getByRole('button', { name: 'Remove app' }).click();
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await proofPrompt(page).getByRole('button', { name: 'Use passkey' }).click();
  await expect(page.getByText('Authenticator app was removed.')).toBeVisible();

  if (!service.server) throw new Error('there is no server to operate');
  await runAdmin(service.server, 'reset-factors', service.owner.email);
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await expect(page).toHaveURL('settings/api-keys');
});

async function usePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use passkey' }).click();
}
