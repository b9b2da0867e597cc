import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  openApiKeys,
  readSecretOnce,
  rowOf,
  signIn,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, sessionOf } from '../pages/people/members.ts';

test.use({ accountName: 'Alpha Ltd' });

let beta = '';

test.beforeEach(async ({ service }) => {
  const [id = ''] = await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  beta = `${service.origin}/a/${id}/`;
});

test('choosing another account opens the same list there and shows nothing of the first, and links open their own account', async ({
  context,
  givenApiKey,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey();
  const frame = page.getByRole('complementary');
  await page.goto(`settings/api-keys/${uuid}`);
  await switcher(page).click();
  await expect(page.getByRole('menuitemradio')).toHaveText(['Alpha LtdOwner', 'Beta LtdOwner']);
  await expectAccessible(page, 'accounts');
  await page.getByRole('menuitemradio', { name: /^Beta Ltd/ }).click();
  await expect(page).toHaveURL(`${beta}settings/api-keys`);
  await expect(frame).toContainText('Beta Ltd');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  await expect(page.getByText(name)).toBeHidden();

  const expectChosenLast = async (home: string) => {
    const response = await context.request.get('/');
    expect(response.url(), 'the account that was chosen last').toBe(`${home}settings/api-keys`);
  };
  await expectChosenLast(beta);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page).toHaveURL(`${beta}settings/webhooks`);
  await switcher(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: /^Alpha Ltd/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('settings/webhooks');
  await expect(frame).toContainText('Alpha Ltd');
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await expect(rowOf(page, name)).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search, or paste an ID' }).fill('Beta');
  await page.getByRole('option', { name: 'Beta Ltd' }).click();
  await expect(page).toHaveURL(`${beta}settings/api-keys`);
  await expect(frame).toContainText('Beta Ltd');
  await expectChosenLast(beta);

  for (const [path, status] of [
    ['data/listApiKeys', 200],
    [`data/getApiKey?params.apiKey=${uuid}`, 404],
    [`settings/api-keys/${uuid}`, 404],
  ] as const) {
    const response = await context.request.get(`${beta}${path}`, {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(response.status(), path).toBe(status);
    expect(await response.text()).not.toContain(name);
  }
});

test('two tabs work in two accounts side by side', async ({
  api,
  context,
  named,
  signedIn: first,
}) => {
  const [inAlpha, inBeta] = [named('Alpha'), named('Beta')];
  await first.goto('settings/api-keys/new');
  const second = await context.newPage();
  await second.goto(`${beta}settings/api-keys/new`);
  await second.getByRole('textbox', { name: 'Name' }).fill(inBeta);
  await second.getByRole('radio', { name: 'Full', exact: true }).check();

  await first.bringToFront();
  await first.getByRole('textbox', { name: 'Name' }).fill(inAlpha);
  await first.getByRole('radio', { name: 'Full', exact: true }).check();
  await first.getByRole('button', { name: 'Create key' }).click();
  await readSecretOnce(first);
  await expect(rowOf(first, inAlpha)).toBeVisible();

  await second.bringToFront();
  await expect(second.getByRole('alertdialog')).toBeHidden();
  await second.getByRole('button', { name: 'Create key' }).click();
  await readSecretOnce(second);
  await expect(second).toHaveURL(`${beta}settings/api-keys`);
  await expect(rowOf(second, inBeta)).toBeVisible();
  await expect(rowOf(second, inAlpha)).toBeHidden();
  const listed = await (await api.get('/api/v1/api-keys')).text();
  expect(listed).toContain(inAlpha);
  expect(listed).not.toContain(inBeta);
});

test('the page of an account that is not one’s own is the same as that of none', async ({
  context,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 404/);
  const { owner } = service;
  const stranger = { ...owner, email: owner.email.replace('ada', 'stranger') };
  const [theirs = ''] = await addAccounts(service, { names: ['Theirs'], owner: stranger });
  const seen: string[] = [];
  for (const account of [theirs, crypto.randomUUID()]) {
    await page.goto(`/a/${account}/settings/api-keys`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('complementary')).toBeHidden();
    seen.push(await page.locator('body').innerText());
  }
  expect(new Set(seen).size).toBe(1);
  await page.getByRole('link', { name: 'Go to API keys' }).click();
  await expect(page).toHaveURL('settings/api-keys');

  for (const account of [theirs, crypto.randomUUID(), 'x', '%20']) {
    const response = await context.request.get(`/a/${account}/settings/api-keys`);
    expect(response.status(), account).toBe(404);
    const data = await context.request.get(`/a/${account}/data/listApiKeys`, {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(data.status(), account).toBe(404);
    expect(await data.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('addresses that name no account lead to the same page of the session’s account', async ({
  context,
  service,
  signedIn,
}) => {
  void signedIn;
  const list = 'settings/api-keys';
  for (const [path, page] of [
    ['/settings/webhooks?status=paused&q=a+b%26c', 'settings/webhooks?status=paused&q=a+b%26c'],
    [
      `/${list}/0198c2a4-0000-7000-8000-000000000007`,
      `${list}/0198c2a4-0000-7000-8000-000000000007`,
    ],
    ['/', list],
    ['/settings', list],
    ['', list],
  ] as const) {
    const response = await context.request.get(path);
    expect(response.url(), path).toBe(`${service.home}${page}`);
  }
});

test('a tab is blocked when another tab signed in someone else, whether or not that person may see its account', async ({
  context,
  guard,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 40[14]/);
  const { owner } = service;
  const frame = page.getByRole('complementary');
  const colleague = await addMember(service, { name: 'colleague', role: 'viewer' });
  const stranger = { ...owner, email: owner.email.replace('ada', 'stranger') };
  await addAccounts(service, { names: ['Gamma Ltd'], owner: stranger });
  await openApiKeys(page);
  await context.clearCookies();
  const second = await context.newPage();
  await second.goto('/sign-in');
  await signIn(second, colleague);
  await second.waitForURL('**/settings/api-keys');
  await page.bringToFront();
  const held = page.getByRole('alertdialog', { name: 'colleague is signed in now' });
  await expectAccessible(page, 'another person', held);
  await held.getByRole('button', { name: 'Continue as colleague' }).click();
  await expect(page.getByRole('button', { name: /^colleague.*Your menu$/ })).toBeVisible();
  await expect(frame).toContainText('Alpha Ltd');

  // The cookies and the message with which signing in there affects the other tabs.
  await context.addCookies((await sessionOf(service, stranger)).cookies);
  const denied = page.getByRole('alertdialog', { name: 'You cannot open Alpha Ltd' });
  await expect(async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes no target
    await second.evaluate(() => new BroadcastChannel('session').postMessage(null));
    await expect(denied).toBeVisible({ timeout: 1000 });
  }).toPass();
  await denied.getByRole('button', { name: 'Go to the dashboard' }).click();
  await expect(frame).toContainText('Gamma Ltd');
});

test('many accounts are searched by name', async ({ service, signedIn: page }) => {
  const names = ['Carol GmbH', 'Delta', 'Echo', 'Foxtrot', 'Golf'];
  const ids = await addAccounts(service, { names, owner: service.owner });
  await openApiKeys(page);
  await page.getByRole('combobox', { name: 'Switch account' }).click();
  await expect(page.getByRole('combobox', { name: 'Find an account' })).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(7);
  await expectAccessible(page, 'many accounts');
  await page.keyboard.type('fox');
  await expect(page.getByRole('option')).toHaveText(['FoxtrotOwner']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/a/${ids[3]}/settings/api-keys`);
  await expect(page.getByRole('complementary')).toContainText('Foxtrot');
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
});

function switcher(page: Page) {
  return page.getByRole('complementary').getByRole('button', { name: /Switch account$/ });
}
