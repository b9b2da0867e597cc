import { expect } from '@playwright/test';
import { readData } from '../../helpers/read-data.ts';
import { rowOf } from '../../pages/api-keys.ts';
import { sessionOf } from '../../pages/people/members.ts';
import { isListOpen } from './acts.ts';
import type { Act } from './acts.ts';
import type { Target, World } from './world.ts';

/**
 * The list names what nobody confirmed. A person who closed the tab or signed out comes back first.
 */
export async function expectUnconfirmed(world: World, act: Act, { name }: Target): Promise<void> {
  const { service } = world;
  if (world.page.isClosed()) {
    const context = world.page.context();
    world.page = await context.newPage();
  } else if (world.page.url().endsWith('/sign-in')) {
    await world.page.context().addCookies((await sessionOf(service, service.owner)).cookies);
  }
  const { page } = world;
  const label = act.of === 'webhooks' ? 'Webhooks' : 'API keys';
  const list = page.getByRole('complementary').getByRole('link', { name: label, exact: true });
  // Without a page load if possible: data that the page had before must not be shown any more.
  if (!page.url().startsWith(service.home)) await page.goto(`settings/${act.of}`);
  else if (!isListOpen(page, act.of)) await list.click();
  await expect(rowOf(page, name)).toContainText(act.unconfirmed);
}

/** Exactly one key or webhook has this name. */
export async function expectOne(world: World, { of }: Act, name: string): Promise<Target> {
  const response = await world.api.get(`/api/v1/${of}`);
  const data = await readData<Target[]>(response);
  const found = data.filter((one) => one.name === name);
  expect(found).toHaveLength(1);
  return found[0] ?? { name, uuid: '' };
}

/** The token that nobody saw no longer works. */
export async function expectDead(world: World, token: string | null): Promise<void> {
  if (token?.startsWith('sk_live_') !== true) return;
  const response = await world.request.get('/api/v1/api-key', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(response.status()).toBe(401);
}
