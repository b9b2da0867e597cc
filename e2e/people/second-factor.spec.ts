import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import {
  addVirtualAuthenticator,
  expectAccessible,
  givePassword,
  proofPrompt,
  readRecoveryCodes,
  readSecretOnce,
  recoveryCodesDialog,
  setUpApp,
  signIn,
  signInPrompt,
  signOut,
} from 'conversation-service-playwright-kit';
import {
  asDashboard,
  endOnService,
  expireProof,
  pressAfterSessionEnd,
} from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { runAdmin } from '../helpers/operator.ts';
import { addMember } from '../pages/people/members.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';

test.use({ accountName: 'Factors Ltd' });

const step = 30_000;

test('a second factor is set up once, and asked for at sign-in and before sensitive acts: app, recovery code, passkey', async ({
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
  await expectOnOneLine(recoveryCodesDialog(page).getByRole('listitem'));
  const [recoveryCode = ''] = await readRecoveryCodes(page);
  await expect(page.getByText('Second factor is on')).toBeVisible();
  await expect(page.getByText('10 of 10 codes left')).toBeVisible();
  await expect(page.getByText(recoveryCode)).toBeHidden();

  await signOut(page);
  await signIn(page, service.owner);
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(code).toHaveAccessibleDescription(/^This code is wrong or was already used/);
  await expectAccessible(page, 'sign-in with a second factor', page.getByRole('main'));
  // Each code works only once.
  await control.moveClock({ ms: step });
  await code.fill(app.code(step));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('settings/api-keys');

  await signOut(page);
  await signIn(page, service.owner);
  const other = page.getByRole('button', { name: 'Use a recovery code' });
  const below = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
  expect((await other.boundingBox())?.y).toBeGreaterThan(below?.y ?? Number.NaN);
  await other.click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('settings/api-keys');

  await addVirtualAuthenticator(page);
  await openSecurity(page);
  await expect(page.getByText('9 of 10 codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add passkey' });
  await adding.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await adding.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByText('The passkey Laptop was added.')).toBeVisible();
  await expectAccessible(page, 'security with second factors', page.getByRole('main'));

  await signOut(page);
  await signIn(page, service.owner);
  await usePasskey(page);
  await expect(page).toHaveURL('settings/api-keys');

  await expireProof(control);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Remove app' }).click();
  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await proofPrompt(page).getByRole('button', { name: 'Use passkey' }).click();
  await expect(page.getByText('Authenticator app was removed.')).toBeVisible();

  await runAdmin(service.server, 'reset-factors', service.owner.email);
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await expect(page).toHaveURL('settings/api-keys');
});

test('leaving before recovery codes are shown asks first, and after a lost response the page says which codes still work', async ({
  guard,
  signedIn: page,
}) => {
  guard.allow(/net::ERR_FAILED/);
  await page.goto('settings/profile');
  await page.goto('settings/security');
  const first = await holdNextResponse(page, { after: 1 });
  const settingUp = setUpApp(page);
  await first.arrived;
  await goBackAndStay(page);
  first.deliver();
  await settingUp;
  await readRecoveryCodes(page);

  const second = await holdNextResponse(page);
  await page.getByRole('button', { name: 'Create new codes' }).click();
  const question = page.getByRole('alertdialog', { name: 'Create new codes' });
  await question.getByRole('button', { name: 'Create new codes' }).click();
  await second.arrived;
  await goBackAndStay(page);
  second.lose();
  await expect(question).toContainText('If new codes were created, the old ones no longer work.');
  await question.getByRole('button', { name: 'Create new codes' }).click();
  await expect(recoveryCodesDialog(page).getByRole('listitem')).toHaveCount(10);
  await readRecoveryCodes(page);
  await page.goBack();
  await expect(page, 'no entry of a guard is left').toHaveURL('settings/profile');
});

test('a person who goes back from the second factor, or takes too long, finds their email address filled in and the focus in the password', async ({
  control,
  service,
  signedIn: page,
}) => {
  await page.goto('settings/security');
  await setUpApp(page);
  await readRecoveryCodes(page);
  await signOut(page);
  const email = page.getByRole('textbox', { name: 'Email' });
  const password = page.getByRole('textbox', { name: 'Password' });
  const code = page.getByRole('textbox', { name: 'Code' });
  const expectPasswordAlone = async () => {
    await expect(email).toHaveValue(service.owner.email);
    await expect(password).toHaveValue('');
    await expect(password).toBeFocused();
  };
  await signIn(page, service.owner);
  await page.getByRole('button', { name: 'Back to email and password' }).click();
  await expectPasswordAlone();

  await password.fill(service.owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(code).toBeVisible();
  await control.moveClock({ ms: 10 * 60_000 });
  await code.fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('This sign-in has ended. Enter your password again.')).toBeVisible();
  await expectPasswordAlone();
});

test('the set-up of an app says that it waits for the code, and what to do if the password prompt was closed', async ({
  control,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 403/);
  await page.goto('settings/security');
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
  const code = dialog.getByRole('textbox', { name: 'Code' });
  const held = await holdNextResponse(page);
  await page.getByRole('button', { name: 'Set up app' }).click();
  await held.arrived;
  await expect(dialog.getByText('Preparing a code…')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeHidden();
  held.deliver();
  await expect(code).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await expireProof(control);
  await page.getByRole('button', { name: 'Set up app' }).click();
  await proofPrompt(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('Confirm it is you to see the code.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await givePassword(proofPrompt(page), service.owner.password);
  await expect(code).toBeFocused();
});

test('an account that requires a second factor leads its members to where they set one up, and back', async ({
  service,
  signedIn: page,
}) => {
  const { account, worker } = service;
  await worker.control.requireSecondFactor({ accountId: account.id });
  await page.goto('settings/api-keys');
  await expect(
    page.getByRole('heading', { name: 'Factors Ltd requires a second factor' }),
  ).toBeVisible();
  await expectAccessible(page, 'second factor required');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await expect(page.getByText(/Factors Ltd requires one\. Add a passkey/)).toBeVisible();
  await setUpApp(page);
  await readRecoveryCodes(page);
  await expect(page.getByText(/^Factors Ltd requires one from /)).toBeVisible();
  await expect(page.getByText(/Add a passkey or an authenticator app to continue/)).toBeHidden();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
});

test('before an account requires a second factor, a banner says from when on, until the member has one', async ({
  request,
  service,
  session,
  signedIn: page,
}) => {
  const { account, worker } = service;
  const set = await request.patch('/api/dashboard/account', {
    headers: { ...asDashboard(service, session), 'X-Dashboard-Account': account.id },
    data: { second_factor_required_from: '2099-11-20T12:00:00Z' },
  });
  expect(set.status()).toBe(200);
  await test.step('on Team, a member without one is reminded once a day', async () => {
    const kim = await addMember(service, { name: 'kim', role: 'viewer' });
    await page.goto('settings/team');
    const remind = page.getByRole('button', { name: 'Remind kim to set up a second factor' });
    await expect(page.getByRole('button', { name: /^Remind/ })).toHaveCount(1);
    await remind.click();
    await expect(page.getByText('Reminder sent to kim')).toBeVisible();
    const subject = 'Your account requires a second factor';
    expect(await worker.readMail({ to: kim.email, subject })).toContain('Reminded by');
    await expectAccessible(page, 'team with a reminder');
    await remind.click();
    await expect(page.getByText('A member can be reminded once a day.')).toBeVisible();
  });

  await page.goto('settings/api-keys');
  const banner = page.getByText('Factors Ltd requires a second factor from 20 Nov 2099');
  await expect(banner).toBeVisible();
  await expectAccessible(page, 'second factor required soon');
  await page.getByRole('link', { name: 'Set up a second factor' }).click();
  await setUpApp(page);
  await readRecoveryCodes(page);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expect(banner).toBeHidden();
});

test('a session that ended asks for the second factor in place, and goes on', async ({
  control,
  guard,
  request,
  service,
  session,
  signedIn: page,
}) => {
  guard.allow(/status of 40[13]/);
  await page.goto('settings/security');
  const app = await setUpApp(page);
  await readRecoveryCodes(page);
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Kept');
  await page.getByRole('radio', { name: 'Limited' }).check();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  await endOnService(request, { service, cookies: session });
  await pressAfterSessionEnd(page.getByRole('button', { name: 'Create key' }));
  const prompt = signInPrompt(page);
  await givePassword(prompt, service.owner.password);
  await control.moveClock({ ms: step });
  await prompt.getByRole('textbox', { name: 'Code' }).fill(app.code(step));
  await prompt.getByRole('button', { name: 'Sign in' }).click();
  await expect(prompt).toBeHidden();
  await readSecretOnce(page);
});

test('on an IP address the page says at which host name passkeys work', async ({
  browser,
  service,
}) => {
  const { port } = new URL(service.origin);
  const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  await page.getByRole('button', { name: /Your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Security' }).click();
  await expect(page.getByText('Passkeys do not work at 127.0.0.1.')).toBeVisible();
  await expect(page.getByRole('link', { name: `http://localhost:${port}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toBeHidden();
  await context.close();
});

async function goBackAndStay(page: Page): Promise<void> {
  await page.goBack();
  const question = page.getByRole('alertdialog', {
    name: 'Leave before the recovery codes are shown?',
  });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toBeHidden();
}

/** Without a page load. */
async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Security' }).click();
}

async function usePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use passkey' }).click();
}

/** Text that people copy by hand must not contain characters that look alike. */
async function expectOnOneLine(items: Locator): Promise<void> {
  const lines = await items.evaluateAll((elements) =>
    elements.map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getClientRects().length;
    }),
  );
  expect(new Set(lines)).toEqual(new Set([1]));
}
