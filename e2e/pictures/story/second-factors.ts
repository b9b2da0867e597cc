import type { Browser, Page } from '@playwright/test';
import {
  addVirtualAuthenticator,
  awaitHydration,
  openSession,
  readRecoveryCodes,
  setUpApp,
} from 'conversation-service-playwright-kit';
import { browserOfPeople, timeOf } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { people } from './marlow-and-finch.ts';
import type { Company } from './marlow-and-finch.ts';

/** Ada has a passkey and an app, and Ida has a passkey. */
export async function secureSignIns(
  installation: Installation,
  browser: Browser,
  company: Company,
): Promise<void> {
  await atSecurity(installation, { browser, company, email: people.ada }, async (page) => {
    await addPasskey(page, 'Work laptop');
    await readRecoveryCodes(page);
    await setUpApp(page, timeOf(day).getTime() - Date.now());
  });
  await atSecurity(installation, { browser, company, email: people.ida }, async (page) => {
    await addPasskey(page, 'Phone');
    await readRecoveryCodes(page);
  });
}

const day = '11-12 11:05';

async function atSecurity(
  { setClock, worker }: Installation,
  { browser, company, email }: { browser: Browser; company: Company; email: string },
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await setClock(day);
  const context = await browser.newContext({ userAgent: browserOfPeople.agent });
  awaitHydration(context);
  await context.addCookies(await openSession(worker, { email }));
  const page = await context.newPage();
  await addVirtualAuthenticator(page);
  await page.goto(`${worker.server.origin}/a/${company.id}/settings/security`);
  await act(page);
  await context.close();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create passkey' }).click();
}
