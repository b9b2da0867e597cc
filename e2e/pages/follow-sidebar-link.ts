import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Follows a link of the sidebar. */
export async function goTo(
  page: Page,
  name: 'API keys' | 'Webhooks' | 'Team' | 'Account',
): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Settings' });
  await sidebar.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
}
