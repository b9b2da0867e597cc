import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The table of a webhook's deliveries, on its page. */
export function deliveriesOf(page: Page, { name }: { name: string }): Locator {
  return page.getByRole('table', { name: `Deliveries of ${name}` });
}

/** Opens the deliveries of a webhook. */
export async function openDeliveries(
  page: Page,
  { name, uuid }: { name: string; uuid: string },
): Promise<void> {
  await page.goto(`settings/webhooks/${uuid}/deliveries`);
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}

/** Opens the details of a delivery; `row` is its row in the table. */
export async function openDelivery(page: Page, row: Locator): Promise<Locator> {
  await row.getByRole('rowheader').getByRole('button').click();
  const drawer = deliveryDrawer(page);
  await expect(drawer.getByText('webhook-id', { exact: true }).first()).toBeVisible();
  return drawer;
}

export function deliveryDrawer(page: Page): Locator {
  return page.getByRole('dialog', { name: /^(message|conversation|webhook)\./ });
}
