import { expect } from '@playwright/test';
import { isRemote, test } from '../fixtures.ts';
import { signIn } from '../pages/people/sign-in.ts';

test.use({ accountName: 'Alpha Ltd' });
test.skip(isRemote, 'makes installation support');

test('on a phone the menu of the support desk has all links of the sidebar', async ({
  browser,
  control,
  service,
}) => {
  const { account, worker } = service;
  if (account === null || worker === null) throw new Error('the service runs elsewhere');
  const person = { email: `priya@${account.domain}`, password: worker.password };
  await control.addSupporter(person);
  const context = await browser.newContext({ baseURL: service.origin });
  const page = await context.newPage();
  await page.goto('/support');
  await signIn(page, person);
  const sidebar = page.getByRole('complementary').getByRole('link');
  await expect(sidebar.first()).toBeVisible();
  const links = await Promise.all(
    (await sidebar.all()).map(async (link) => ({
      href: await link.getAttribute('href'),
      text: ((await link.textContent()) ?? '').replace(/, opens.*/, ''),
    })),
  );
  expect(links.map(({ text }) => text)).toEqual([
    'Support desk',
    'My requests',
    'Choose an account',
    'API reference',
  ]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Your menu$/ }).click();
  const menu = page.getByRole('menu');
  for (const { href, text } of links) {
    await expect(menu.getByRole('menuitem', { name: text })).toHaveAttribute('href', href ?? '');
  }
  await menu.getByRole('menuitem', { name: 'Choose an account' }).click();
  await expect(page).toHaveURL('/accounts');
  await context.close();
});
