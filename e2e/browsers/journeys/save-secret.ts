import { expect } from '@playwright/test';
import type { Tab } from '../tab.ts';

/**
 * Copies the value in the one-time dialog, ticks "saved", closes the dialog, and returns the value.
 */
export async function saveSecret(
  tab: Tab,
  { kind, subject }: { kind: 'Token' | 'Signing secret'; subject: string },
): Promise<string> {
  const name = `New ${kind.toLowerCase()} for ${subject}`;
  const dialog = tab.inside('dialog', name);
  await dialog.sees('field', kind);
  const value = await dialog.valueOf(kind);
  expect(value).toMatch(/^(sk_live_|whsec_)/);
  await dialog.press('button', 'Copy');
  await dialog.sees('button', 'Copied');
  await dialog.inside('status').says(`${kind} copied.`);
  await dialog.press('checkbox', `I have saved this ${kind === 'Token' ? 'token' : 'secret'}`);
  await dialog.press('button', 'Done');
  await tab.lacks('dialog', name);
  return value;
}
