import { expect } from '@playwright/test';
import { expectAccessible, readData, signIn, signOut } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('the sign-in form shows at its fields what is missing or wrong, keeps what was typed, and shows the password only on request', async ({
  page,
  service,
}) => {
  await page.goto('/sign-in');
  const email = page.getByRole('textbox', { name: 'Email' });
  const password = page.getByRole('textbox', { name: 'Password' });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Enter your email address.');
  await expect(password).toHaveAccessibleDescription('Enter your password.');
  await expectAccessible(page, 'sign-in with errors');

  await password.fill('visible?');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');

  await signIn(page, { ...service.owner, password: 'not the password' });
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription('Wrong email or password.');
  await expect(password).toBeFocused();
  await expect(email).toHaveValue(service.owner.email);
  await expect(page).toHaveURL('/sign-in');
});

test('a page that needs a session leads to the sign-in page, and from there back', async ({
  context,
  guard,
  page,
  service,
}) => {
  await page.goto('settings/webhooks?status=paused');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await signIn(page, service.owner);
  await expect(page).toHaveURL('settings/webhooks?status=paused');
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();

  await context.clearCookies();
  // The link under the pointer may prefetch its data first.
  guard.allow(/status of 401.*data\/listApiKeys/);
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  const { pathname } = new URL('settings/api-keys', service.home);
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(pathname)}`);
});

test('a browser that runs no scripts is told that the dashboard needs them, and gets the icon at its default path', async ({
  context,
  service,
  session,
}) => {
  const needed = /<noscript>.*?This dashboard needs JavaScript\..*?<\/noscript>/s;
  const signInPage = await context.request.get('/sign-in');
  expect(await signInPage.text()).toMatch(needed);
  await context.addCookies(session);
  const page = await context.request.get('settings/webhooks');
  expect(page.url()).toBe(`${service.home}settings/webhooks`);
  expect(await page.text()).toMatch(needed);

  const icon = await context.request.get('/favicon.ico');
  expect(icon.status()).toBe(200);
  expect(icon.headers()['content-type']).toMatch(/^image\//);
});

test('signing in never leads to another site, scripts and other sites cannot read the cookies, and signing out ends the session for good', async ({
  context,
  page,
  request,
  service,
}) => {
  await page.goto(`/sign-in?next=${encodeURIComponent('//example.com/')}`);
  await signIn(page, service.owner);
  await expect(page).toHaveURL('settings/api-keys');
  for (const elsewhere of ['https://example.com/', '//example.com/', '/\\example.com']) {
    const response = await context.request.get(`/sign-in?next=${encodeURIComponent(elsewhere)}`);
    expect(response.url(), elsewhere).toBe(`${service.home}settings/api-keys`);
  }
  const isHttps = service.origin.startsWith('https:');
  const prefix = isHttps ? '__Host-' : '';
  const find = async (name: string) =>
    (await context.cookies()).find((cookie) => cookie.name === `${prefix}${name}`);
  const kept = { httpOnly: true, secure: isHttps, path: '/' };
  const [session, device] = [await find('session'), await find('device')];
  expect(session).toMatchObject({ ...kept, sameSite: 'Lax' });
  expect(device).toMatchObject({ ...kept, sameSite: 'Strict' });
  const days = ((device?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(180);
  expect(await page.evaluate(() => document.cookie)).not.toMatch(/session|device/);

  const withOldCookie = {
    Cookie: `${session?.name}=${session?.value}`,
    'Sec-Fetch-Site': 'same-origin',
  };
  const fromElsewhere = { ...withOldCookie, 'Sec-Fetch-Site': 'same-site' };
  expect((await request.delete('/session', { headers: fromElsewhere })).status()).toBe(403);
  const sessions = await request.get('data/listSessions', { headers: withOldCookie });
  const data = await readData<object[]>(sessions);
  expect(data).toContainEqual(
    expect.objectContaining({ is_current: true, user_agent: expect.stringContaining('Chrome/') }),
  );

  await signOut(page);
  await expect(page).toHaveURL('/sign-in');
  expect(await find('device')).toEqual(device);
  expect(await find('session')).toBeUndefined();
  const asked = await request.get('settings/api-keys', { headers: withOldCookie });
  expect(new URL(asked.url()).pathname).toBe('/sign-in');
  const read = await request.get('data/listSessions', { headers: withOldCookie });
  expect(read.status()).toBe(401);
});
