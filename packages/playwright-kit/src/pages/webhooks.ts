import { expect } from '@playwright/test';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { readData } from '../api-client.ts';
import { choiceOf, choose } from './api-keys.ts';

export type WebhookInForm = {
  name: string;
  url: string;
  /** The event types to tick, in the words of the API. */
  events?: readonly string[];
};

export async function openWebhooks(page: Page): Promise<void> {
  await page.goto('settings/webhooks');
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
}

/** Opens a webhook's own page. */
export async function openWebhook(
  page: Page,
  { name, uuid }: { name: string; uuid: string },
): Promise<void> {
  await page.goto(`settings/webhooks/${uuid}`);
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}

/** Goes to another tab of a webhook's own page. */
export async function openTab(
  page: Page,
  tab: 'Overview' | 'Deliveries' | 'Settings',
): Promise<void> {
  const link = page.getByRole('main').getByRole('link', { name: tab, exact: true });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** The button on a webhook's page that pauses it, resumes it or finishes its set-up. */
export function mainAct(page: Page, label: 'Pause' | 'Resume' | 'Finish set-up'): Locator {
  return page.getByRole('button', { name: label, exact: true });
}

/** Fills in the form for a new webhook and submits it; the secret's dialog follows. */
export async function submitWebhook(page: Page, webhook: WebhookInForm): Promise<void> {
  await page.goto('settings/webhooks/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(webhook.name);
  await page.getByRole('textbox', { name: 'URL' }).fill(webhook.url);
  await page.getByRole('radio', { name: 'Chosen types' }).check();
  for (const type of webhook.events ?? ['message.created']) {
    await choiceOf(page, 'events', type).check();
  }
  await page.getByRole('button', { name: 'Create webhook' }).click();
}

/** Opens the dialog to regenerate the secret, from the list. */
export async function openRegeneration(page: Page, name: string): Promise<Locator> {
  await openWebhooks(page);
  await choose(page, name, 'Regenerate secret');
  const question = page.getByRole('dialog', { name: `Regenerate secret of ${name}`, exact: true });
  await expect(question).toBeVisible();
  return question;
}

/** The value beside a label in the page's details. */
export async function factOf(page: Page, label: string): Promise<string> {
  const value = page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd');
  return (await value.textContent()) ?? '';
}

/** The text below the label of a health figure: the number, then what it counts. */
export function figureOf(page: Page, label: string): Locator {
  return page
    .getByRole('region', { name: 'Health' })
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd');
}

export type WebhookAsRead = {
  id: number;
  uuid: string;
  name: string;
  url: string;
  events: string[];
  is_active: boolean;
  status: string;
  inactive_since: string | null;
  last_triggered_at: string | null;
  secret: { created_at: string; was_shown: boolean; previous_valid_until: string | null };
};

/** A webhook as the API returns it. */
export async function readWebhook(api: APIRequestContext, uuid: string): Promise<WebhookAsRead> {
  const response = await api.get(`/api/v1/webhooks/${uuid}`);
  const data = await readData<WebhookAsRead>(response);
  return data;
}

/** The uuid of the webhook with this name. */
export async function uuidOf(api: APIRequestContext, name: string): Promise<string> {
  const data = await readData<{ uuid: string; name: string }[]>(await api.get('/api/v1/webhooks'));
  return data.find((webhook) => webhook.name === name)?.uuid ?? 'none';
}

/** Pauses a webhook, or resumes it without the events of the pause. */
export async function setActive(
  api: APIRequestContext,
  { uuid }: { uuid: string },
  isActive: boolean,
): Promise<void> {
  const data = { is_active: isActive, ...(isActive && { backlog: 'skip' }) };
  const response = await api.patch(`/api/v1/webhooks/${uuid}`, { data });
  expect(response.status(), await response.text()).toBe(200);
}
