import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import {
  choose,
  expectAccessible,
  secretDialog,
  submitApiKey,
  tracesOf,
} from 'conversation-service-playwright-kit';
import type { SecretDialog } from 'conversation-service-playwright-kit';
import { nextPicture, rotateAgain, waysOut } from '../pages/one-time-secret.ts';
import { dayMs } from '#lib/durations.ts';
import { test } from '../fixtures.ts';

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
    await waysOut.Escape(page);
    await expectAccessible(page, 'close without saving', warning);
    await warning.getByRole('button', { name: 'Keep it open' }).click();
    const reads: string[] = [];
    page.on('request', (sent) => {
      if (sent.url().endsWith('/data/listApiKeys')) reads.push(sent.url());
    });
    await dialog.done.click();
    await expect(dialog.saved).toBeFocused();
    await expect(dialog.saved).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.saved).toHaveAccessibleDescription(/Select this checkbox first/);
    await expect(dialog.value).toHaveValue(token);
    await dialog.saved.check();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    expect(reads, 'the list is read again when the dialog has closed').toEqual([]);
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

async function selection(dialog: SecretDialog): Promise<string> {
  return await dialog.value.evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );
}

test('a new token stays on the screen if the page fails, and if its own dialog does', async ({
  context,
  guard,
  named,
  signedIn: page,
}) => {
  guard.allow(/removeChild/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const expiresAt = new Date(Date.now() + 7 * dayMs);
  await submitApiKey(page, { name: named('Production'), expiresAt });
  const dialog = secretDialog(page);
  await expect(dialog.value).toHaveValue(/^sk_live_/);
  const token = await dialog.value.inputValue();
  // React fails when it removes an element that is gone.
  const date = page.getByText('Date and time', { exact: true });
  await date.evaluate((text) => text.closest('label')?.parentElement?.remove());
  const never = page.getByRole('radio', { name: 'Never', includeHidden: true });
  await never.evaluate((radio: HTMLInputElement) => radio.click());
  const failure = { name: 'Something went wrong', includeHidden: true };
  await expect(page.getByRole('heading', failure)).toBeAttached();

  await dialog.copy.locator('svg').evaluate((icon) => icon.remove());
  await dialog.copy.click();
  await expect(dialog.copy.locator('svg')).toBeVisible();
  await expect(dialog.value).toHaveValue(token);

  await dialog.saved.check();
  await dialog.done.click();
  await expect(dialog.root).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
});
