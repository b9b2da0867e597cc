import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The dialog that shows a token or signing secret once. Suites may rely on these names. */
export type SecretDialog = {
  root: Locator;
  value: Locator;
  status: Locator;
  copy: Locator;
  saved: Locator;
  done: Locator;
  close: Locator;
};

/** @param name part of the key's or webhook's name, if the kind alone is not enough */
export function secretDialog(page: Page, name?: string): SecretDialog {
  const root = page.getByRole('dialog', { name: /new (token|signing secret) for/i });
  const named = name === undefined ? root : root.and(page.getByRole('dialog', { name }));
  return {
    root: named,
    value: named.getByRole('textbox', { name: /token|signing secret/i }),
    status: named.getByRole('status'),
    copy: named.getByRole('button', { name: /^Cop(y|ied)$/ }),
    saved: named.getByRole('checkbox', { name: /saved/i }),
    done: named.getByRole('button', { name: 'Done' }),
    close: named.getByRole('button', { name: 'Close' }),
  };
}

/**
 * Reads the secret that is shown, ticks "saved", and closes the dialog.
 *
 * @throws with the error that the page shows in place of a secret
 */
export async function readSecretOnce(page: Page): Promise<string> {
  const dialog = secretDialog(page);
  const alerts = alertsOf(page);
  const refused = page.locator('[aria-invalid=true]');
  await expect(dialog.value.or(alerts).or(refused).first()).toBeVisible();
  if (!(await dialog.value.isVisible())) {
    const texts = [...(await alerts.allInnerTexts()), ...(await notesOf(refused))];
    throw new Error(`The page shows no secret, but: ${texts.join(' ').replaceAll(/\s+/g, ' ')}`);
  }
  await expect(dialog.value).toHaveValue(/^(sk_live_|whsec_)/);
  const value = await dialog.value.inputValue();
  await dialog.saved.check();
  await dialog.done.click();
  await expect(dialog.root).toBeHidden();
  return value;
}

/** What the page says went wrong. */
function alertsOf(page: Page): Locator {
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  // Next.js announces the title of each new page in one.
  return alert.and(page.locator(':not([id="__next-route-announcer__"])'));
}

/** What the page says about fields, and groups of fields, that it does not accept. */
async function notesOf(fields: Locator): Promise<string[]> {
  const notes = await fields.evaluateAll((all) =>
    all
      .flatMap((field) => (field.getAttribute('aria-describedby') ?? '').split(' '))
      .map((id) => document.getElementById(id)?.textContent ?? ''),
  );
  return [...new Set(notes)].filter((note) => note !== '');
}
