import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, followLink, signIn, signOut } from 'conversation-service-playwright-kit';
import type { Server } from 'conversation-service-playwright-kit';
import { test } from '../../fixtures.ts';
import type { Service } from '../../helpers/fixture-types.ts';

export const ida = { email: 'grace@example.com', password: 'nine words are a good password' };

/**
 * Creates the first account with the link that the service printed, and returns the URL of its
 * pages.
 */
export async function setUpAccount(page: Page, service: Service): Promise<string> {
  await test.step('while nobody can sign in, the sign-in page says where the set-up link is, and no form opens without it', async () => {
    await page.goto('settings/api-keys');
    await expect(page.getByRole('heading', { level: 1, name: 'Not set up yet' })).toBeVisible();
    await expect(page.getByText(/terminal in which the service was started/)).toBeVisible();
    await expectAccessible(page, 'not set up');
    await expect(page.getByRole('textbox')).toHaveCount(0);
    for (const [path, title] of [
      ['/set-up', 'Open the set-up link'],
      ['/set-up#not-the-token', 'This link is no longer valid'],
    ] as const) {
      await page.goto(path);
      if (path.includes('#')) await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page.getByRole('textbox')).toHaveCount(0);
    }
  });

  await test.step('the set-up link opens a form, which shows errors at its fields', async () => {
    await openSetUp(page, service.server);
    await expect(page, 'the token leaves the address bar').toHaveURL(`${service.origin}/set-up`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('textbox', { name: 'Account name' })).toBeFocused();
    await expectAccessible(page, 'set-up with errors', page.getByRole('main'));
    await fillIn(page);
  });

  return await test.step('the account is created once, and its owner is signed in', async () => {
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/a\/[\w-]+\/settings\/api-keys$/);
    const home = page.url().replace(/settings\/api-keys$/, '');
    await expect(page.getByRole('complementary')).toContainText('Hopper & Daughters');
    await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    await expect(page).toHaveTitle(/^API keys · /);
    await expect(page.getByRole('button', { name: /Grace.*Owner.*Your menu$/ })).toBeVisible();
    await page.goto(`${home}settings/api-keys/incident`);
    await expect(page.getByRole('heading', { name: 'No incidents yet' })).toBeVisible();
    await page.goto(`${home}settings/api-keys`);

    await page.goto('/set-up');
    const nothing = page.getByRole('heading', { level: 1, name: 'This service is already set up' });
    await expect(nothing).toBeVisible();
    await expect(page.getByText(/terminal/)).toBeHidden();
    await page.goto(`${home}settings/api-keys`);
    return home;
  });
}

/** Fills in the form; the first passwords are refused. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Account name' }).fill('Hopper & Daughters');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Grace');
  await page.getByRole('textbox', { name: 'Email' }).fill(ida.email);
  const password = page.getByRole('textbox', { name: 'Password' });
  for (const [refused, reason] of [
    ['too short', 'Use at least 12 characters.'],
    ['password1234', /^This is one of the most common passwords/],
    [ida.email, /^This password is made of your name, your email address/],
  ] as const) {
    await password.fill(refused);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(password).toHaveAccessibleDescription(reason);
    await expect(password).toBeFocused();
  }
  await password.fill(ida.password);
  await expect(page.getByText('Long enough')).toBeVisible();
}

export async function signOutAndIn(page: Page, service: Service): Promise<void> {
  await test.step('after signing out, the set-up link is no longer valid and leads to the sign-in form', async () => {
    await signOut(page);
    await expect(page).toHaveURL(/\/sign-in/);
    await followLink(page, setUpLink(service.server));
    await expect(
      page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(page, ida);
    await expect(page).toHaveURL(/\/a\/[\w-]+\/settings\/api-keys$/);
  });

  await test.step('after a restart, the service prints no link', async () => {
    // The page may still be fetching its icon, which would fail when the server ends.
    await page.close();
    const before = service.server.output().length;
    await service.server.kill();
    await service.server.start();
    expect(service.server.output().slice(before)).toContain('Ready: ');
    expect(service.server.output().slice(before)).not.toContain('/set-up');
  });
}

/** The one-time link that the server printed when it started. */
function setUpLink(server: Server): string {
  const [link] = /http:\S+\/set-up#\S+/.exec(server.output()) ?? [];
  if (link === undefined) throw new Error('the service printed no set-up link');
  return link;
}

/** Opens the form of the set-up link. */
async function openSetUp(page: Page, server: Server): Promise<void> {
  await followLink(page, setUpLink(server));
  await expect(
    page.getByRole('heading', { level: 1, name: 'Create the first account' }),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Account name' })).toBeVisible();
}
