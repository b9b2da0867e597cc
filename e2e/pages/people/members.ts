import type { Browser, BrowserContext, Page } from '@playwright/test';
import { openSession } from 'conversation-service-playwright-kit';
import type { Person } from 'conversation-service-playwright-kit';
import type { Service } from '../../helpers/fixture-types.ts';

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Makes a new person, named like the start of their email address, a member of the test's account.
 */
export async function addMember(
  service: Service,
  { name, role }: { name: string; role: string },
): Promise<Person> {
  const { account, worker } = service;
  const person = { email: `${name}@${account.domain}`, password: worker.password };
  await worker.control.addMember({ accountId: account.id, ...person, role });
  return person;
}

export async function changeRole(
  service: Service,
  { person, role }: { person: Person; role: string },
): Promise<void> {
  const { account, worker } = service;
  await worker.control.addMember({ accountId: account.id, ...person, role });
}

/** Creates accounts with this owner, and returns their ids. */
export async function addAccounts(
  service: Service,
  { names, owner }: { names: readonly string[]; owner: Person },
): Promise<string[]> {
  const { control } = service.worker;
  const ids: string[] = [];
  for (const name of names) ids.push(await control.addAccount({ name, ...owner }));
  return ids;
}

/** The storage state of a browser after this person signed in, for `newContext`. */
export async function sessionOf(service: Service, person: Person): Promise<StorageState> {
  return { cookies: await openSession(service.worker, person), origins: [] };
}

/** A page of this person, in another browser context, at the list of keys or another path. */
export async function pageOf(
  browser: Browser,
  service: Service,
  { address = 'settings/api-keys', ...person }: Person & { address?: string },
): Promise<Page> {
  const storageState = await sessionOf(service, person);
  const context = await browser.newContext({ baseURL: service.home, storageState });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}
