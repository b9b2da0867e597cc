import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test as base } from './fixtures.ts';
import { choose, openRotation, rowOf, submitRotation } from './pages/api-keys.ts';
import { secretDialog } from './pages/secret-dialog.ts';
import type { SecretDialog } from './pages/secret-dialog.ts';
import { tracesOf } from './pages/traces-of.ts';
import { submitWebhook } from './pages/webhooks.ts';

type Revealed = { name: string; oldToken: string; token: string; dialog: SecretDialog };

/** A key that was rotated just now, with its new token on the screen. */
const test = base.extend<{ revealed: Revealed }>({
  revealed: async ({ givenApiKey, named, signedIn: page }, use) => {
    const key = await givenApiKey({ name: named('Production') });
    await submitRotation(page, key.name);
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^sk_live_/);
    const token = await dialog.value.inputValue();
    await use({ name: key.name, oldToken: key.token, token, dialog });
  },
});

test.describe('1: what it says', () => {
  test('the title names thing and key, one sentence says what losing it means, and until when the old token works', async ({
    request,
    revealed: { dialog, name, oldToken },
  }) => {
    await expect(dialog.root).toHaveAccessibleName(`New token for ${name}`);
    await expect(dialog.root).toHaveAccessibleDescription(
      'It is shown only once. If you lose it, rotate the key again.',
    );
    const answer = await request.get('/api/v1/api-key', {
      headers: { Authorization: `Bearer ${oldToken}` },
    });
    const end = dialog.root.getByRole('time');
    await expect(end).toHaveAttribute('datetime', answer.headers()['api-key-expires'] ?? 'none');
    await expect(end, 'to the minute, with its zone').toHaveText(
      /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC$/,
    );
  });

  test('a webhook has a signing secret, and the title says so', async ({
    named,
    signedIn: page,
  }) => {
    const name = named('Notifier');
    await submitWebhook(page, { name, url: 'https://example.com/webhooks' });
    const dialog = secretDialog(page);
    await expect(dialog.root).toHaveAccessibleName(`New signing secret for ${name}`);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    await expect(dialog.status).toBeAttached();
  });
});

test.describe('2: how the value stands there', () => {
  test('in a labelled field that is read only, monospaced, selects itself and is seen whole at 320 px', async ({
    revealed: { dialog, token },
    signedIn: page,
  }) => {
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
  });

  test('no spelling check, password manager, session recorder, printer or press outside touches it', async ({
    revealed: { dialog, token },
    signedIn: page,
  }) => {
    await expect(dialog.value).toHaveAttribute('spellcheck', 'false');
    await expect(dialog.value).toHaveAttribute('autocomplete', 'off');
    for (const ignored of ['data-1p-ignore', 'data-bwignore', 'data-lpignore']) {
      await expect(dialog.value).toHaveAttribute(ignored);
    }
    const masks = await dialog.value.evaluate((field) =>
      ['data-private', 'data-sentry-mask', 'data-hj-suppress', 'data-dd-privacy'].map(
        (name) => field.closest(`[${name}]`) !== null,
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
  });
});

test.describe('3: Copy', () => {
  test('copies the value or its .env line, says so in the dialog, and does not tick the box', async ({
    context,
    revealed: { dialog, token },
    signedIn: page,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect(dialog.status).toHaveText('');
    await dialog.copy.click();
    await expect(dialog.copy).toHaveText('Copied');
    await expect(dialog.status).toHaveText('Token copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await expect(dialog.saved).not.toBeChecked();

    await dialog.root.getByRole('button', { name: 'Copy as .env line' }).click();
    await expect(dialog.status).toHaveText('.env line copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `MESSAGING_API_KEY=${token}`,
    );
    await expect(dialog.saved).not.toBeChecked();
  });

  test('says "Copied" no sooner than the clipboard has it', async ({
    revealed: { dialog },
    signedIn: page,
  }) => {
    await page.evaluate(() => {
      const write = Promise.withResolvers<void>();
      Object.assign(window, { finishWriting: write.resolve });
      Object.assign(navigator.clipboard, { writeText: () => write.promise });
    });
    await dialog.copy.click();
    // Two pictures later everything that did not wait would be on the screen.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await expect(dialog.copy).toHaveText('Copy');
    await expect(dialog.status).toHaveText('');
    await page.evaluate('finishWriting()');
    await expect(dialog.copy).toHaveText('Copied');
  });

  const obstacles: Record<string, () => void> = {
    'the browser refuses': () => {
      const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
      Object.assign(navigator.clipboard, { writeText: refuse });
    },
    'there is no clipboard, as on plain http': () => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    },
  };
  for (const [when, obstruct] of Object.entries(obstacles)) {
    test(`selects the value and names the keys when ${when}`, async ({
      revealed: { dialog, token },
      signedIn: page,
    }) => {
      await page.evaluate(obstruct);
      const fields = page.getByRole('textbox', { includeHidden: true });
      const before = await fields.count();
      await dialog.copy.click();
      await expect(dialog.status).toContainText(/press Ctrl\/⌘ C/i);
      await expect(dialog.copy).toHaveText('Copy');
      await expect(dialog.value).toBeFocused();
      expect(await selection(dialog)).toBe(token);
      await expect(fields).toHaveCount(before);
    });
  }
});

test.describe('4: the confirmation', () => {
  test('Done, pressed too early, leads to the box and says why; once it is ticked, without Copy, Done closes', async ({
    revealed: { dialog, token },
  }) => {
    await dialog.done.click();
    await expect(dialog.saved).toBeFocused();
    await expect(dialog.saved).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.saved).toHaveAccessibleDescription(/Tick this first/);
    await expect(dialog.value).toHaveValue(token);
    await dialog.saved.check();
    await dialog.done.click();
    await expect(dialog.root).toBeHidden();
  });
});

test.describe('5: ways out', () => {
  const waysOut: Record<string, (page: Page, dialog: SecretDialog) => Promise<unknown>> = {
    'the close button': async (_, dialog) => await dialog.close.click(),
    Escape: async (page) => await page.keyboard.press('Escape'),
    Back: async (page) => await page.goBack(),
  };
  for (const [way, leave] of Object.entries(waysOut)) {
    test(`${way} asks first, may be taken back, and may be meant; with the box ticked it closes without a word`, async ({
      revealed: { dialog, name, token },
      signedIn: page,
    }) => {
      const question = page.getByRole('alertdialog', { name: 'Close without saving?' });
      await leave(page, dialog);
      await expect(question).toBeVisible();
      await question.getByRole('button', { name: 'Keep it open' }).click();
      await expect(question).toBeHidden();
      await expect(dialog.value).toHaveValue(token);

      await leave(page, dialog);
      await question.getByRole('button', { name: 'Close anyway' }).click();
      await expect(dialog.root).toBeHidden();
      await expect(page).toHaveURL('settings/api-keys');
      expect(await tracesOf(page, token)).toEqual([]);

      // Until the list is read anew its row names the token before, and another rotation is refused.
      await expect(rowOf(page, name)).toContainText('Rotating');
      await choose(page, name, 'Rotate token');
      await page.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
      await expect(dialog.value).toHaveValue(/^sk_live_/);
      await dialog.saved.check();
      await leave(page, dialog);
      await expect(dialog.root).toBeHidden();
      await expect(page.getByRole('alertdialog')).toBeHidden();
      await expect(page).toHaveURL('settings/api-keys');
    });
  }

  test('the way back through history is as it was before the dialog', async ({
    givenApiKey,
    signedIn: page,
  }) => {
    const { name } = await givenApiKey();
    await page.goto('settings/webhooks');
    await submitRotation(page, name);
    const dialog = secretDialog(page);
    await dialog.saved.check();
    await dialog.done.click();
    await expect(dialog.root).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL('settings/webhooks');
  });

  test('reload and closing the tab ask until the box is ticked', async ({
    revealed: { dialog, token },
    signedIn: page,
  }) => {
    // Later than the call, which the question would hold up for ever.
    const reload = () => void requestAnimationFrame(() => window.location.reload());
    for (const leave of [
      async () => await page.evaluate(reload),
      async () => await page.close({ runBeforeUnload: true }),
    ]) {
      const asked = page.waitForEvent('dialog');
      await leave();
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      await expect(dialog.value).toHaveValue(token);
    }

    await dialog.saved.check();
    const loaded = page.waitForEvent('load');
    await page.evaluate(reload);
    await loaded;
    await expect(dialog.root).toBeHidden();
  });
});

test.describe('6: for a server’s settings', () => {
  test('the .env line can be downloaded', async ({
    revealed: { dialog, token },
    signedIn: page,
  }) => {
    const downloading = page.waitForEvent('download');
    await dialog.root.getByRole('button', { name: 'Download .env file' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^production-.+\.env$/);
    expect(await readFile(await file.path(), 'utf8')).toBe(`MESSAGING_API_KEY=${token}\n`);
    await expect(dialog.status).toHaveText('.env file downloaded.');
  });

  test('a signing secret comes with code that checks by it and does not hold it', async ({
    named,
    signedIn: page,
  }) => {
    // So low that the code does not stand open by itself.
    await page.setViewportSize({ width: 1280, height: 640 });
    await submitWebhook(page, { name: named('Notifier'), url: 'https://example.com/in' });
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    const secret = await dialog.value.inputValue();
    await dialog.root.getByText('How your server verifies signatures').click();
    for (const language of ['Node', 'Python', 'curl']) {
      await dialog.root.getByRole('radio', { name: language }).check();
      const code = dialog.root.getByRole('region', {
        name: new RegExp(`with ${language}|for ${language}`),
      });
      await expect(code).toContainText('MESSAGING_WEBHOOK_SECRET');
      await expect(code).not.toContainText(secret.slice('whsec_'.length));
    }
  });
});

test.describe('7: afterwards', () => {
  test('the value is gone, and Back and Forward do not bring it back', async ({
    revealed: { dialog, name, token },
    signedIn: page,
  }) => {
    expect(await tracesOf(page, token)).toEqual(expect.arrayContaining(['field']));
    await dialog.saved.check();
    await dialog.done.click();
    await expect(dialog.root).toBeHidden();
    expect(await tracesOf(page, token)).toEqual([]);

    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page).toHaveURL('settings/webhooks');
    await page.goBack();
    await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeVisible();
    expect(await tracesOf(page, token)).toEqual([]);
    await page.goForward();
    await expect(page).toHaveURL('settings/webhooks');
    expect(await tracesOf(page, token)).toEqual([]);
  });

  test('a page put aside for the back-forward cache does not hold it', async ({
    revealed: { dialog, token },
    signedIn: page,
  }) => {
    const left = await page.evaluate((sought) => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      // Read in the same task: a page is frozen right after the event.
      const fields = [...document.querySelectorAll('textarea')].map(({ value }) => value);
      return [...fields, document.body.textContent].filter((held) => held.includes(sought));
    }, token);
    expect(left).toEqual([]);
    await expect(dialog.root).toBeHidden();
  });

  test('the list is read anew when the dialog has closed, and not before', async ({
    revealed: { dialog },
    signedIn: page,
  }) => {
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/data/api-keys')) reads.push(request.url());
    });
    await dialog.saved.check();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    expect(reads).toEqual([]);
    await dialog.done.click();
    await expect.poll(() => reads.length).toBe(1);
  });
});

test('while a rotation is under way nothing closes the question or sends it again', async ({
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route('**/settings/api-keys', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await held.promise;
    }
    await route.continue();
  });
  const question = await openRotation(page, name);
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  await rotate.click();
  await expect(rotate).toHaveAttribute('aria-busy', 'true');
  await rotate.press('Enter');
  await page.keyboard.press('Escape');
  // By force: Playwright waits for a button that refuses.
  await question.getByRole('button', { name: 'Cancel' }).click({ force: true });
  await expect(question).toBeVisible();

  held.resolve();
  await expect(secretDialog(page).value).toHaveValue(/^sk_live_/);
  expect(sent).toBe(1);
});

async function selection(dialog: SecretDialog): Promise<string> {
  return await dialog.value.evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  );
}
