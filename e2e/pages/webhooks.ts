import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { choose } from './api-keys.ts';

export type WebhookInForm = {
  name: string;
  url: string;
  /** The sentences of the event kinds to tick. */
  events?: readonly string[];
};

export async function openWebhooks(page: Page): Promise<void> {
  await page.goto('/settings/webhooks');
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
}

/** Fills in the form for a new webhook and sends it; the secret's dialog follows. */
export async function submitWebhook(page: Page, webhook: WebhookInForm): Promise<void> {
  await page.goto('/settings/webhooks/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(webhook.name);
  await page.getByRole('textbox', { name: 'Address' }).fill(webhook.url);
  for (const event of webhook.events ?? ['A message was written in a conversation.']) {
    await page.getByRole('checkbox', { name: event }).check();
  }
  await page.getByRole('button', { name: 'Create webhook' }).click();
}

/** Opens the question before a new secret, from the list. */
export async function openRegeneration(page: Page, name: string): Promise<Locator> {
  await openWebhooks(page);
  await choose(page, name, 'Regenerate secret');
  return page.getByRole('dialog', { name: `Regenerate secret of ${name}`, exact: true });
}

/** Opens the question before a deletion, from the list. */
export async function openDeletion(page: Page, name: string): Promise<Locator> {
  await openWebhooks(page);
  await choose(page, name, `Delete ${name}`);
  return page.getByRole('alertdialog', { name: `Delete ${name}`, exact: true });
}
