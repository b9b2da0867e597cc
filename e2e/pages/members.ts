import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Service } from '../fixtures.ts';
import { signIn } from './door.ts';
import type { Person } from './door.ts';

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Makes a new person a member of an account; `account` is its name. */
export async function addMember(
  service: Service,
  { account, email, role }: { account: string; email: string; role: string },
): Promise<Person> {
  const said = await service.server?.admin('add-member', account, email, role);
  const [, password] = /shown only now:\s+(\S+)/.exec(said ?? '') ?? [];
  if (password === undefined) throw new Error('the command printed no password');
  return { email, password };
}

/** Makes accounts with this owner. */
export async function addAccounts(
  { server }: Service,
  { names, owner }: { names: readonly string[]; owner: Pick<Person, 'email'> },
): Promise<void> {
  for (const name of names) await server?.admin('create-account', name, owner.email);
}

/** What a browser knows after this person signed in, for `newContext`. Sign-ins are limited by address. */
export async function sessionOf(
  browser: Browser,
  service: Service,
  person: Person,
): Promise<StorageState> {
  const page = await pageOf(browser, service, person);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

/** A page of this person, in a browser of their own, at the list of keys. */
export async function pageOf(browser: Browser, service: Service, person: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.origin });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, person);
  await page.waitForURL('**/settings/api-keys');
  return page;
}
