import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Server } from '../../helpers/servers/server.ts';
import { followLink } from './links.ts';

/** The one-time link that the server printed when it started. */
export function setUpLink(server: Server | null): string {
  const [link] = /http:\S+\/set-up#\S+/.exec(server?.output() ?? '') ?? [];
  if (link === undefined) throw new Error('the service printed no set-up link');
  return link;
}

/** Opens the form of the set-up link. */
export async function openSetUp(page: Page, server: Server | null): Promise<void> {
  await followLink(page, setUpLink(server));
  await expect(
    page.getByRole('heading', { level: 1, name: 'Create the first account' }),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Account name' })).toBeVisible();
}
