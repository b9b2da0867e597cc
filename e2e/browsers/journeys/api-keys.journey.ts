import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { saveSecret } from './save-secret.ts';
import { signIn } from './sign-in.ts';

test('a key is created with an expiry of its own, found by its token, rotated and revoked', async ({
  home,
  owner,
  service,
  statusOf,
  tab,
}) => {
  await signIn(tab, { owner, service });
  await tab.press('link', 'Create key');
  await tab.fill('Name', 'Staging');
  await tab.press('radio', 'Full');
  await tab.press('radio', 'On a date');
  await tab.fillMonth('Date and time', '12');
  expect(await tab.valueOf('Date and time')).toMatch(/^\d{4}-12-/);
  await tab.press('button', 'Create key');
  const token = await saveSecret(tab, { kind: 'Token', subject: 'Staging' });
  expect(await statusOf(token)).toBe(200);

  // The token is in the clipboard. When it is pasted here, only its last characters are in the URL.
  const table = tab.inside('table', 'API keys of Acme Support');
  await tab.press('field', 'Search keys');
  await tab.paste();
  await tab.isAt(new RegExp(`=[^=]*${token.slice(-4)}$`));
  await table.says('Staging');
  await tab.open(`${home}settings/api-keys`);

  await tab.press('button', 'Actions for Staging');
  await tab.press('menuitem', 'Rotate token');
  const rotation = tab.inside('dialog', 'Rotate Staging');
  await rotation.press('radio', 'Now');
  await rotation.press('button', 'Rotate Staging');
  const next = await saveSecret(tab, { kind: 'Token', subject: 'Staging' });
  expect(await statusOf(token)).toBe(401);

  await tab.press('button', 'Actions for Staging');
  await tab.press('menuitem', 'Revoke Staging');
  await tab.inside('alertdialog', 'Revoke Staging').press('button', 'Revoke Staging');
  await tab.lacks('alertdialog', 'Revoke Staging');
  await table.says(/Revoked/);
  expect(await statusOf(next)).toBe(401);
});
