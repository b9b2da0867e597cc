import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  choose,
  expectAccessible,
  goTo,
  menuOf,
  proofPrompt,
  proveIdentity,
  rowOf,
  statusOf,
} from 'conversation-service-playwright-kit';
import { test } from '../../fixtures.ts';
import type { Key } from './create-keys.ts';
import { ida } from './set-up.ts';

type Revoking = { request: APIRequestContext; key: Key };

/** Revokes a key in the open list, after the last proof is no longer fresh. */
export async function revokeUsedKey(page: Page, { request, key }: Revoking): Promise<void> {
  const { name, token } = key;

  await test.step('a key in use is revoked after its name is typed and the password given again, with a reason that everyone can read', async () => {
    // The list must be read again before it knows the latest use.
    await page.reload();
    await choose(page, name, `Revoke ${name}`);
    const question = page.getByRole('alertdialog', { name: `Revoke ${name}`, exact: true });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(question).toContainText('from 127.0.0.1');
    await expect(question).toContainText(`sk_live_…${token.slice(-4)}`);
    await question.getByRole('button', { name: 'Leaked' }).click();
    const reason = question.getByRole('textbox', { name: /^Reason/ });
    await expect(reason).toHaveValue('Leaked');
    await reason.fill('Leaked in a build log');
    await expectAccessible(page, 'revoke', question);
    const revoke = question.getByRole('button', { name: `Revoke ${name}`, exact: true });
    await revoke.press('Enter');
    await expect(revoke).toHaveAccessibleDescription(`Type ${name} above first.`);
    expect(await statusOf(request, token)).toBe(200);
    await question.getByRole('textbox', { name: /^Type the name/ }).fill(name);
    await revoke.click();
    await proveIdentity(proofPrompt(page), ida);
    await expect(question).toBeHidden();
    await expect(menuOf(page, name)).toBeFocused();
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
      `${name} revoked`,
    );
    await expect(rowOf(page, name)).toContainText(
      /Revoked\d+ \w{3} \d{4}, by Grace: Leaked in a build log/,
    );
    expect(await statusOf(request, token)).toBe(401);
  });

  await test.step('a revoked key can only be viewed', async () => {
    await menuOf(page, name).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Copy key ID',
      'Changes to this key',
      'Changes made with this key',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByText(/^Revoked on \d.+ by Grace/)).toBeVisible();
    await expect(page.getByText(/^Reason: Leaked in a build log\./)).toBeVisible();
    await expectAccessible(page, 'revoked key');
    await expect(page.getByRole('button', { name: 'Rotate token' })).toBeHidden();
    await page.goto(`${page.url()}/edit`);
    await expect(
      page.getByRole('heading', { name: `${name} can no longer be changed` }),
    ).toBeVisible();
  });
}

export async function revokeUnusedKey(page: Page, { request, key }: Revoking): Promise<void> {
  const { name, token } = key;
  await test.step('a key that was never used is revoked on its page without typing its name', async () => {
    await goTo(page, 'API keys');
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await choose(page, name, `Revoke ${name}`);
    const question = page.getByRole('alertdialog', { name: `Revoke ${name}`, exact: true });
    await expect(question.getByRole('textbox', { name: /^Type the name/ })).toBeHidden();
    await question.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
    await expect(page.getByText('No reason was given.')).toBeVisible();
    await expect(menuOf(page, name)).toBeFocused();
    await expect(page.getByRole('region', { name: 'Get this key' })).toBeHidden();
    expect(await statusOf(request, token)).toBe(401);
  });
}
