import { expect } from '@playwright/test';
import {
  followLink,
  invite,
  linkIn,
  openLink,
  readRecoveryCodes,
  setUpApp,
  signIn,
  signOut,
  tracesOf,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { recordResponses } from '../helpers/record-responses.ts';

test.use({ accountName: 'Discreet Ltd' });

const step = 30_000;
const chosen = 'a staple that nobody knows';

test('a second factor, an invitation and a link to choose a password leave nothing in a response but the one that shows them, nor in the log or the page', async ({
  browser,
  context,
  control,
  page,
  service,
}) => {
  const { account, owner, server, worker } = service;
  // So that the service logs all that it can.
  await control.change({ logLevel: 'trace' });
  const { responses, unread } = await recordResponses(page);
  const shownOnce: string[] = [];
  const neverShown: string[] = [chosen];

  await page.goto('/sign-in');
  await signIn(page, owner);
  await page.waitForURL('**/settings/api-keys');
  // Leaving the page earlier would cut off responses that are to be searched.
  await page.waitForLoadState('networkidle');
  await page.goto('settings/security');
  {
    const app = await setUpApp(page);
    const codes = await readRecoveryCodes(page);
    expect(codes).toHaveLength(10);
    shownOnce.push(app.key, ...codes);
    await signOut(page);
    await signIn(page, owner);
    await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Code' }).fill(app.code(step));
    const cookies = await context.cookies();
    const pending = cookies.find(({ name }) => name.endsWith('pending-sign-in'));
    expect(pending?.httpOnly).toBe(true);
    neverShown.push(pending?.value ?? '');
    expect(await tracesOf(page, pending?.value ?? '')).toEqual([]);
    await control.moveClock({ ms: step });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/settings/api-keys');
    await page.waitForLoadState('networkidle');
  }

  const invited = `mika@${account.domain}`;
  await page.goto('settings/team');
  {
    const link = await invite(page, { email: invited, role: 'Viewer' });
    const token = link.split('#')[1] ?? '';
    shownOnce.push(token);
    const theirs = await openLink(browser, service, link);
    await expect(theirs.getByRole('heading', { name: 'Join Discreet Ltd' })).toBeVisible();
    expect(await tracesOf(theirs, token)).toEqual([]);
    await theirs.reload();
    expect(await tracesOf(theirs, token)).toEqual([]);
    await theirs.context().close();
  }
  for (const name of ['Webhooks', 'Team']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  await signOut(page);

  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(owner.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(
    page.getByRole('heading', { name: 'Ask your administrator for the link' }),
  ).toBeVisible();
  {
    const mail = await worker.readMail({ to: owner.email, subject: 'Choose a new password' });
    const link = linkIn(mail, 'reset-password');
    const token = link.split('#')[1] ?? '';
    neverShown.push(token);
    await followLink(page, link);
    const password = page.getByRole('textbox', { name: 'New password' });
    await expect(password).toBeVisible();
    expect(await tracesOf(page, token)).toEqual([]);
    await password.fill(chosen);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    expect(await tracesOf(page, token)).toEqual([]);
  }
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.goBack();
  await page.waitForLoadState('networkidle');
  for (const secret of [...shownOnce, ...neverShown]) {
    expect(await tracesOf(page, secret)).toEqual([]);
  }

  expect(unread).toEqual([]);
  const carriersOf = (secret: string) =>
    responses.filter(({ text }) => text.includes(secret)).map(({ isAction }) => isAction);
  for (const secret of shownOnce) expect(carriersOf(secret)).toEqual([true]);
  for (const secret of neverShown) expect(carriersOf(secret)).toEqual([]);
  const logged = server.output();
  expect(logged).toContain('"msg":"request"');
  for (const secret of [...shownOnce, ...neverShown]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(logged.includes(secret), 'a secret in the log').toBe(false);
  }
});
