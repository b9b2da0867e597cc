import { expect } from '@playwright/test';
import { test } from './fixtures.ts';
import { signIn, signOut } from './pages/sign-in.ts';

test('a wrong password is told at its field, and what was typed stays', async ({
  page,
  service,
}) => {
  await page.goto('/sign-in');
  await signIn(page, { ...service.owner, password: 'not the password' });

  const password = page.getByRole('textbox', { name: 'Password' });
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription('Wrong e-mail or password.');
  await expect(password).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(service.owner.email);
  await expect(page).toHaveURL('/sign-in');
});

test('an empty form says at each field what is missing', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();

  const email = page.getByRole('textbox', { name: 'E-mail' });
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Enter your e-mail address.');
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(
    'Enter your password.',
  );
});

test('a password can be looked at, and is hidden again', async ({ page }) => {
  await page.goto('/sign-in');
  const password = page.getByRole('textbox', { name: 'Password' });
  await password.fill('visible?');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
});

test('a page that needs a session leads to the sign-in page and, signed in, back', async ({
  page,
  service,
}) => {
  await page.goto('settings/webhooks?status=paused');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await signIn(page, service.owner);
  await expect(page).toHaveURL('settings/webhooks?status=paused');
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
});

for (const elsewhere of ['https://example.com/', '//example.com/', '/\\example.com']) {
  test(`signing in never leads to ${elsewhere}`, async ({ page, session }) => {
    await page.context().addCookies(session);
    await page.goto(`/sign-in?next=${encodeURIComponent(elsewhere)}`);
    await expect(page).toHaveURL('settings/api-keys');
  });
}

test('signing out ends the session for good', async ({ browser, page, service }) => {
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  const kept = await page.context().cookies();

  await signOut(page);
  await expect(page).toHaveURL('/sign-in');
  await page.goto('settings/api-keys');
  await expect(page).toHaveURL(/\/sign-in/);

  const copy = await browser.newContext({ baseURL: service.home });
  await copy.addCookies(kept);
  const withOldCookie = await copy.newPage();
  await withOldCookie.goto('settings/api-keys');
  await expect(withOldCookie).toHaveURL(/\/sign-in/);
  await copy.close();
});

test('the session cookie is out of reach of scripts and other sites', async ({ page, service }) => {
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  const session = await page.context().cookies();
  const isHttps = service.origin.startsWith('https:');
  const name = isHttps ? '__Host-session' : 'session';
  expect(session.find((cookie) => cookie.name === name)).toMatchObject({
    httpOnly: true,
    secure: isHttps,
    sameSite: 'Lax',
    path: '/',
  });
});

test('the device cookie is out of reach of scripts and other sites, and outlives signing out', async ({
  page,
  service,
}) => {
  await page.goto('/sign-in');
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
  const isHttps = service.origin.startsWith('https:');
  const name = isHttps ? '__Host-device' : 'device';
  const find = async () => (await page.context().cookies()).find((cookie) => cookie.name === name);

  const device = await find();
  expect(device).toMatchObject({
    httpOnly: true,
    secure: isHttps,
    sameSite: 'Strict',
    path: '/',
  });
  const days = ((device?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(180);
  expect(await page.evaluate(() => document.cookie)).not.toContain('device');

  await signOut(page);
  await expect(page).toHaveURL('/sign-in');
  expect(await find()).toEqual(device);
});

test('a browser that asks for the icon by its usual name gets it', async ({ request }) => {
  const answer = await request.get('/favicon.ico');
  expect(answer.status()).toBe(200);
  expect(answer.headers()['content-type']).toMatch(/^image\//);
});
