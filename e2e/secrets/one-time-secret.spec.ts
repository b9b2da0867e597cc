import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { fullTest, isFullRun, test } from '../fixtures.ts';
import { choose, openRotation, rowOf, submitRotation } from '../pages/api-keys.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/accessibility.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';
import type { SecretDialog } from '../pages/secret-dialog.ts';
import { tracesOf } from '../pages/traces-of.ts';
import { broken } from '../helpers/error-responses.ts';

test('a new token is shown whole and protected, and can be copied or downloaded; once the dialog is closed it is gone, and Back and Forward do not bring it back', async ({
  context,
  givenApiKey,
  named,
  request,
  signedIn: page,
}) => {
  const { name, token: oldToken } = await givenApiKey({ name: named('Production') });
  const dialog = secretDialog(page);
  await page.goto('settings/webhooks');
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const token = await dialog.value.inputValue();
  expect(await tracesOf(page, token)).toEqual(expect.arrayContaining(['field']));

  await test.step('the dialog says what the token is for, and until when the old one works', async () => {
    await expect(dialog.root).toHaveAccessibleName(`New token for ${name}`);
    await expect(dialog.root).toHaveAccessibleDescription(
      'It is shown only once. If you lose it, rotate the key again.',
    );
    const response = await request.get('/api/v1/api-key', {
      headers: { Authorization: `Bearer ${oldToken}` },
    });
    const end = dialog.root.getByRole('time');
    await expect(end).toHaveAttribute('datetime', response.headers()['api-key-expires'] ?? 'none');
    await expect(end, 'to the minute, with its zone').toHaveText(
      /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC$/,
    );

    await expect(dialog.value).toHaveAccessibleName('Token');
    await expect(dialog.value).not.toBeEditable();
    await expect(dialog.value).toHaveCSS('font-family', /mono/i);
    await dialog.value.focus();
    expect(await selection(dialog)).toBe(token);
    await page.setViewportSize({ width: 320, height: 640 });
    const hidden = await dialog.value.evaluate((field) => ({
      right: Math.max(0, field.scrollWidth - field.clientWidth),
      below: Math.max(0, field.scrollHeight - field.clientHeight),
      lines: Math.round(field.clientHeight / Number.parseFloat(getComputedStyle(field).lineHeight)),
    }));
    expect(hidden.right).toBe(0);
    expect(hidden.below).toBe(0);
    expect(hidden.lines, 'it wraps').toBeGreaterThan(1);
    await page.setViewportSize({ width: 1280, height: 800 });

    await expect(dialog.value).toHaveAttribute('spellcheck', 'false');
    await expect(dialog.value).toHaveAttribute('autocomplete', 'off');
    for (const ignored of ['data-1p-ignore', 'data-bwignore', 'data-lpignore']) {
      await expect(dialog.value).toHaveAttribute(ignored);
    }
    const masks = await dialog.value.evaluate((field) =>
      ['data-private', 'data-sentry-mask', 'data-hj-suppress', 'data-dd-privacy'].map(
        (mask) => field.closest(`[${mask}]`) !== null,
      ),
    );
    expect(masks).toEqual([true, true, true, true]);

    await page.emulateMedia({ media: 'print' });
    await expect(dialog.value).toBeHidden();
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(token);
    await page.emulateMedia({ media: null });
    await expect(dialog.value).toBeVisible();

    await page.mouse.click(8, 8);
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(dialog.value).toHaveValue(token);
    await expectAccessible(page, 'one-time dialog', dialog.root);
  });

  await test.step('it says that the token is copied only after it was copied', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect(dialog.status).toHaveText('');
    await page.evaluate(() => {
      const write = navigator.clipboard.writeText.bind(navigator.clipboard);
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(window, { letWrite: resolve });
      const writeText = async (text: string) => {
        await promise;
        await write(text);
      };
      Object.assign(navigator.clipboard, { writeText });
    });
    await dialog.copy.click();
    await nextPicture(page);
    await expect(dialog.copy).toHaveText('Copy');
    await expect(dialog.status).toHaveText('');
    await page.evaluate('letWrite()');
    await expect(dialog.copy).toHaveText('Copied');
    await expect(dialog.status).toHaveText('Token copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);

    await dialog.root.getByRole('button', { name: 'Copy as .env line' }).click();
    await expect(dialog.status).toHaveText('.env line copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `MESSAGING_API_KEY=${token}`,
    );
    await expect(dialog.saved).not.toBeChecked();

    const downloading = page.waitForEvent('download');
    await dialog.root.getByRole('button', { name: 'Download .env file' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^production-.+\.env$/);
    expect(await readFile(await file.path(), 'utf8')).toBe(`MESSAGING_API_KEY=${token}\n`);
    await expect(dialog.status).toHaveText('.env file downloaded.');

    const fields = page.getByRole('textbox', { includeHidden: true });
    const before = await fields.count();
    const refuse = () => {
      const writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
      Object.assign(navigator.clipboard, { writeText });
    };
    // As on a plain http page.
    const remove = () => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    };
    for (const obstruct of [refuse, remove]) {
      await page.evaluate(obstruct);
      await dialog.saved.focus();
      await dialog.copy.click();
      await expect(dialog.value).toBeFocused();
      await expect(dialog.status).toContainText(/press Ctrl\/⌘ C/i);
      await expect(dialog.copy).toHaveText('Copy');
      expect(await selection(dialog)).toBe(token);
      await expect(fields).toHaveCount(before);
    }
  });

  await test.step('the dialog stays until it is closed, and leaves nothing behind', async () => {
    const warning = page.getByRole('alertdialog', { name: 'Close without saving?' });
    for (const leave of [waysOut.Escape, waysOut['the close button']]) {
      await leave(page, dialog);
      await warning.getByRole('button', { name: 'Keep it open' }).click();
      await expect(warning).toBeHidden();
    }
    const reads: string[] = [];
    page.on('request', (sent) => {
      if (sent.url().endsWith('/data/api-keys')) reads.push(sent.url());
    });
    await dialog.done.click();
    await expect(dialog.saved).toBeFocused();
    await expect(dialog.saved).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.saved).toHaveAccessibleDescription(/Tick this first/);
    await expect(dialog.value).toHaveValue(token);
    await dialog.saved.check();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    expect(reads, 'the list is read anew when the dialog has closed').toEqual([]);
    await dialog.done.click();
    await expect(dialog.root).toBeHidden();
    await expect.poll(() => reads.length).toBe(1);
    expect(await tracesOf(page, token)).toEqual([]);

    await page.goBack();
    await expect(page, 'the way back is as it was before').toHaveURL('settings/webhooks');
    expect(await tracesOf(page, token)).toEqual([]);
    await page.goForward();
    await expect(page).toHaveURL('settings/api-keys');
    const next = await rotateAgain(page, name, token);
    expect(await tracesOf(page, token)).toEqual([]);

    const left = await page.evaluate((sought) => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      // Read in the same task, because a page is frozen right after the event.
      const fields = [...document.querySelectorAll('textarea')].map(({ value }) => value);
      return [...fields, document.body.textContent].filter((held) => held.includes(sought));
    }, next);
    expect(left).toEqual([]);
    await expect(dialog.root).toBeHidden();
  });
});

fullTest(
  'nothing closes a running rotation, and every way out of the dialog asks first until the box is ticked',
  async ({ givenApiKey, signedIn: page }) => {
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
    for (const leave of isFullRun ? Object.values(waysOut) : [waysOut.Back]) {
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
  },
);

test('an unconfirmed token is shown as such; its rotation can be undone, or a new token shown in its place', async ({
  apiProxy,
  givenApiKey,
  guard,
  named,
  request,
  signedIn: page,
}) => {
  const { name, token: oldToken } = await givenApiKey({ name: named('Production') });
  await submitRotation(page, name);
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const token = await dialog.value.inputValue();
  const callWith = (made: string) =>
    request.get('/api/v1/api-key', { headers: { Authorization: `Bearer ${made}` } });
  await closeUnsaved(page, dialog);
  await expect(rowOf(page, name)).toContainText('Unconfirmed');
  await expect(rowOf(page, name)).toContainText('Nobody confirmed having this token');
  await page.getByRole('link', { name, exact: true }).click();
  const panel = page.getByRole('region', { name: 'Nobody confirmed having this token' });
  await expect(panel).toContainText(`…${token.slice(-4)} was shown to`);
  await expect(panel).toContainText(`…${oldToken.slice(-4)} is the only token again`);
  await expectAccessible(page, 'key with an unconfirmed token');

  await panel.getByRole('button', { name: 'Undo rotation' }).click();
  const question = page.getByRole('alertdialog', { name: `Undo rotation of ${name}` });
  await expectVariantAccessible(page, 'undo a rotation', question);
  await question.getByRole('button', { name: 'Undo rotation' }).click();
  await expect(question).toBeHidden();
  await expect(panel).toBeHidden();
  const byOld = await callWith(oldToken);
  expect(byOld.status()).toBe(200);
  expect(byOld.headers()['api-key-expires'], 'it ends no more').toBeUndefined();
  expect((await callWith(token)).status()).toBe(401);

  await page.getByRole('button', { name: 'Rotate token' }).click();
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const lost = await dialog.value.inputValue();
  await closeUnsaved(page, dialog);
  const end = (await callWith(oldToken)).headers()['api-key-expires'];
  expect(end).toBeDefined();
  await page.getByRole('button', { name: 'Rotate token' }).click();
  const rotation = page.getByRole('dialog', { name: `Rotate ${name}`, exact: true });
  await expect(rotation).toContainText('Nobody confirmed having this token');
  await expectVariantAccessible(page, 'rotate an unconfirmed token', rotation);
  await rotation.getByRole('button', { name: 'show a new one' }).click();
  const replacement = page.getByRole('alertdialog', { name: `Show a new token of ${name}` });
  await replacement.getByRole('button', { name: 'Show a new one' }).click();

  // The dialog closes even if the service cannot record that the token is saved.
  guard.allow(/confirm-token|500/);
  let isBroken = true;
  apiProxy.respondTo('POST', /\/confirm-token$/, ({ pass }) => (isBroken ? broken() : pass()));
  const shown = await readSecretOnce(page);
  await expect(page.getByText(/could not be confirmed/)).toBeVisible();
  await expect(panel).toContainText(`…${shown.slice(-4)} was shown to`);
  isBroken = false;
  await panel.getByRole('button', { name: 'I have this token' }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByText('The token is confirmed.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  expect((await callWith(oldToken)).headers()['api-key-expires']).toBe(end);
  expect((await callWith(lost)).status()).toBe(401);
  expect((await callWith(shown)).status()).toBe(200);
  await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
  await expect(rowOf(page, name)).toContainText('Rotating');
});

test('a token that was replaced while it was shown is not called saved', async ({
  api,
  givenApiKey,
  named,
  signedIn: page,
}) => {
  const { name, uuid } = await givenApiKey({ name: named('Production') });
  await submitRotation(page, name);
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const rotated = await api.post(`/api/v1/api-keys/${uuid}/rotate`, {
    data: { grace_period_seconds: 0 },
  });
  expect(rotated.status()).toBe(201);
  await dialog.saved.check();
  await dialog.done.click();
  await expect(dialog.root.getByRole('alert')).toContainText('Do not use this token');
  await expect(dialog.value).toBeHidden();
  await dialog.root.getByRole('button', { name: 'Close' }).click();
  await expect(dialog.root).toBeHidden();
  await expect(page.getByText(/could not be confirmed/)).toBeHidden();
});

fullTest(
  'who leaves anyway goes where they wanted, and a refused creation leaves the way back as it was',
  async ({ apiProxy, named, signedIn: page }) => {
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
  },
);

fullTest(
  'a tab without an earlier page goes to the list, and Back works there as usual',
  async ({ context, named, signedIn }) => {
    await signedIn.goto('settings/api-keys/new');
    const opened = context.waitForEvent('page');
    await signedIn.evaluate(() => void window.open(window.location.href, '_blank', 'noopener'));
    const page = await opened;
    await leaveBeforeTokenIsShown(page, named('Nightly'));
  },
);

fullTest(
  'a token stays on the screen when the account requires a second factor meanwhile',
  async ({ context, control, givenApiKey, guard, service, signedIn: page }) => {
    guard.allow(/status of 403/);
    const { name } = await givenApiKey();
    const { id: accountId = '', name: accountName = '' } = service.account ?? {};
    await submitRotation(page, name);
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^sk_live_/);
    await control.requireSecondFactor({ accountId });
    const other = await context.newPage();
    await other.goto('/sign-in');
    const reread = page.waitForResponse(/\/data\/session$/);
    // What another tab says when it signed in.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes no target
    await other.evaluate(() => new BroadcastChannel('session').postMessage(null));
    await (await reread).finished();
    await page.bringToFront();
    await nextPicture(page);
    await expect(dialog.value).toHaveValue(/^sk_live_/);

    await dialog.saved.check();
    await dialog.root.getByRole('button', { name: 'Done' }).click();
    await expect(
      page.getByRole('heading', { name: `${accountName} requires a second factor` }),
    ).toBeVisible();
  },
);

const waysOut = {
  'the close button': async (_: Page, dialog: SecretDialog) => await dialog.close.click(),
  Escape: async (page: Page) => await page.keyboard.press('Escape'),
  Back: async (page: Page) => await page.goBack(),
};

/** Leaves the dialog without ticking that the token is saved. */
async function closeUnsaved(page: Page, dialog: SecretDialog): Promise<void> {
  await dialog.close.click();
  await page.getByRole('button', { name: 'Close anyway' }).click();
  await expect(dialog.root).toBeHidden();
}

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

/** After two frames, everything that did not wait is on the screen. */
async function nextPicture(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
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

/** Rotates the key once more, from the open list, and returns the token on the screen. */
async function rotateAgain(page: Page, name: string, shown: string): Promise<string> {
  // Until the list is read again, its row names the previous token, and another rotation is
  // refused.
  await expect(rowOf(page, name)).toContainText(shown.slice(-4));
  await choose(page, name, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  const { value } = secretDialog(page);
  await expect(value).toHaveValue(/^sk_live_/);
  return await value.inputValue();
}

async function selection(dialog: SecretDialog): Promise<string> {
  return await dialog.value.evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );
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
