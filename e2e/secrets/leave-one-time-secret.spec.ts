import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  openRotation,
  readSecretOnce,
  rowOf,
  secretDialog,
  signOut,
  tracesOf,
} from 'conversation-service-playwright-kit';
import { rotateAgain, waysOut } from '../pages/one-time-secret.ts';
import { test } from '../fixtures.ts';
import { broken } from '../helpers/error-responses.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';
import { addAccounts, sessionOf } from '../pages/people/members.ts';

test('nothing closes a running rotation, and every way out of the dialog asks first until the box is ticked', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const question = await openRotation(page, name);
  // The preview has been read, so the rotation is the only request that follows.
  await expect(question.getByText(/Works until/)).toBeVisible();
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/settings/api-keys', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await held.promise;
    }
    await route.continue();
  });
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  await rotate.click();
  await expect(rotate).toHaveAttribute('aria-busy', 'true');
  await rotate.press('Enter');
  await page.keyboard.press('Escape');
  // Forced, because Playwright waits while a button is disabled.
  await question.getByRole('button', { name: 'Cancel' }).click({ force: true });
  await expect(question).toBeVisible();
  const leaving = page.getByRole('alertdialog', { name: 'Leave before the token is shown?' });
  await page.goBack();
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await expect(leaving).toBeHidden();
  await expectBrowserAsks(page, async () => await page.evaluate(reload));
  held.resolve();
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  expect(sent).toBe(1);

  const warning = page.getByRole('alertdialog', { name: 'Close without saving?' });
  const token = await dialog.value.inputValue();
  for (const leave of Object.values(waysOut)) {
    await leave(page, dialog);
    await expect(warning).toBeVisible();
    await warning.getByRole('button', { name: 'Keep it open' }).click();
    await expect(warning).toBeHidden();
    await expect(dialog.value).toHaveValue(token);
  }
  await waysOut.Back(page);
  await warning.getByRole('button', { name: 'Close anyway' }).click();
  await expect(dialog.root).toBeHidden();
  await expect(page).toHaveURL('settings/api-keys');
  expect(await tracesOf(page, token)).toEqual([]);

  let shown = await rotateAgain(page, name, token);
  for (const leave of Object.values(waysOut)) {
    await dialog.saved.check();
    await leave(page, dialog);
    await expect(dialog.root).toBeHidden();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page).toHaveURL('settings/api-keys');
    shown = await rotateAgain(page, name, shown);
  }

  for (const leave of [
    async () => await page.evaluate(reload),
    async () => await page.close({ runBeforeUnload: true }),
  ]) {
    await expectBrowserAsks(page, leave);
    await expect(dialog.value).toHaveValue(shown);
  }
  await dialog.saved.check();
  const loaded = page.waitForEvent('load');
  await page.evaluate(reload);
  await loaded;
  await expect(dialog.root).toBeHidden();
});

test('who leaves anyway goes where they wanted, and a refused creation leaves the way back as it was', async ({
  apiProxy,
  named,
  signedIn: page,
}) => {
  await page.goto('settings/webhooks');
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByRole('link', { name: 'Create key' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(named('Nightly'));
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  apiProxy.respondTo('POST', /^\/api\/v1\/api-keys$/, () => broken());
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText(/not created|could not confirm whether/i)).toBeVisible();
  await page.goBack();
  const unsaved = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await unsaved.getByRole('button', { name: 'Leave anyway' }).click();
  await expect(page).toHaveURL('settings/api-keys');
  await page.goForward();

  await leaveBeforeTokenIsShown(page, named('Nightly'));
});

test('a tab without an earlier page goes to the list, and Back works there as usual', async ({
  context,
  named,
  signedIn,
}) => {
  await signedIn.goto('settings/api-keys/new');
  const opened = context.waitForEvent('page');
  await signedIn.evaluate(() => void window.open(window.location.href, '_blank', 'noopener'));
  const page = await opened;
  await leaveBeforeTokenIsShown(page, named('Nightly'));
});

test('while a token is on its way, every way to leave the page asks first, and who leaves anyway finds the key unconfirmed; while it is shown, the rest of the page cannot be reached', async ({
  guard,
  named,
  service,
  signedIn: page,
}) => {
  // It creates five keys.
  test.slow();
  guard.allow(/net::ERR_FAILED|status of 401/);
  await addAccounts(service, { names: ['Branch office'], owner: service.owner });
  const link = page.getByRole('complementary').getByRole('link', { name: 'Webhooks' });
  const switcher = page.getByRole('button', { name: /Switch account$/ });
  const personMenu = page.getByRole('button', { name: /Your menu$/ });
  const palette = page.getByRole('combobox', { name: 'Search, or paste an ID' });
  const ways: [leave: () => Promise<void>, to: string | RegExp][] = [
    [async () => await link.click(), /\/settings\/webhooks$/],
    [
      async () => {
        await page.keyboard.press('Control+k');
        await palette.fill('Profile');
        await page.getByRole('option', { name: 'Profile' }).click();
      },
      /\/settings\/profile$/,
    ],
    [
      async () => {
        await switcher.click();
        await page.getByRole('menuitemradio', { name: 'Branch office' }).click();
      },
      /\/settings\/api-keys$/,
    ],
    [async () => await signOut(page), '/sign-in'],
  ];
  const question = page.getByRole('alertdialog', { name: 'Leave before the token is shown?' });
  const create = async () => {
    const name = named('Nightly');
    await page.goto('settings/api-keys/new');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('radio', { name: 'Full', exact: true }).check();
    const held = await holdNextResponse(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await held.arrived;
    return { name, ...held };
  };

  const { deliver } = await create();
  for (const [leave] of ways) {
    await leave();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toBeHidden();
  }
  deliver();
  await expect(secretDialog(page).value).toHaveValue(/^sk_live_/);
  for (const control of [link, switcher, personMenu]) await expect(control).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeHidden();
  await readSecretOnce(page);

  for (const [leave, to] of ways) {
    const { name, lose } = await create();
    await leave();
    await question.getByRole('button', { name: 'Leave anyway' }).click();
    lose();
    await expect(page).toHaveURL(to);
    await page.context().addCookies((await sessionOf(service, service.owner)).cookies);
    await page.goto('settings/api-keys');
    await expect(rowOf(page, name)).toContainText('Unconfirmed');
  }
});

/** Holds back the actions of a page until they are released. */
async function holdResponses(page: Page, url: string) {
  const sent = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === 'POST') {
      sent.resolve();
      await held.promise;
    }
    await route.continue();
  });
  return { isHeld: sent.promise, release: held.resolve };
}

/** After the call has returned, because the browser's question would block the call forever. */
function reload(): void {
  requestAnimationFrame(() => window.location.reload());
}

async function expectBrowserAsks(page: Page, leave: () => Promise<void>): Promise<void> {
  const asked = page.waitForEvent('dialog');
  await leave();
  const unload = await asked;
  expect(unload.type()).toBe('beforeunload');
  await unload.dismiss();
}

/**
 * On the page that creates a key: presses Create key, then Back before the service has responded.
 */
async function leaveBeforeTokenIsShown(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  const responses = await holdResponses(page, '**/settings/api-keys/new');
  await page.getByRole('button', { name: 'Create key' }).click();
  await responses.isHeld;
  await page.goBack();
  const leaving = page.getByRole('alertdialog', { name: 'Leave before the token is shown?' });
  await leaving.getByRole('button', { name: 'Leave anyway' }).click();
  await expect(page).toHaveURL('settings/api-keys');
  responses.release();
}
