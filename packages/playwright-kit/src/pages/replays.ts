import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { openDeliveries } from './deliveries.ts';

/** The button on a webhook's page that opens the dialog to replay. */
export function replayButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Replay a window' });
}

/** Opens a webhook's deliveries, and there the dialog to replay. */
export async function openReplay(
  page: Page,
  webhook: { name: string; uuid: string },
): Promise<Locator> {
  await openDeliveries(page, webhook);
  await replayButton(page).click();
  const question = page.getByRole('dialog', { name: `Replay events to ${webhook.name}` });
  await expect(question).toBeVisible();
  return question;
}

/** The button that starts the replay; its label has the number of events once that is known. */
export function beginButton(question: Locator): Locator {
  return question.getByRole('button', { name: /^Replay ([\d,]+ )?events?$/ });
}

/** The uuid of the replay that the page follows. */
export async function followedReplay(page: Page): Promise<string> {
  await expect(page).toHaveURL(/[?&]replay=[0-9a-f-]{36}/);
  return new URL(page.url()).searchParams.get('replay') ?? 'none';
}

/** Chooses a window that begins at this time and ends now. */
export async function chooseSince(question: Locator, since: Date): Promise<void> {
  await question.getByRole('radio', { name: 'Custom' }).check();
  // The browser's time zone is UTC.
  await question.getByLabel('From', { exact: true }).fill(since.toISOString().slice(0, 23));
}
