import type {
  APIRequestContext,
  Browser,
  BrowserContext,
  Cookie,
  PlaywrightWorkerArgs,
} from '@playwright/test';
import { submitApiKey } from '../../pages/api-keys.ts';
import { signIn } from '../../pages/people/sign-in.ts';
import type { Person } from '../../pages/people/sign-in.ts';
import { readSecretOnce } from '../../pages/secret-dialog.ts';
import { apiWith } from '../api-client.ts';
import type { RemoteService, Service, SignedIn } from '../fixture-types.ts';
import { readData } from '../read-data.ts';
import { runMarker } from '../run-marker.ts';

type Connection = { url: string; playwright: PlaywrightWorkerArgs['playwright'] };

/**
 * Signs in to a service that the suite did not start, as E2E_EMAIL with E2E_PASSWORD, and with
 * E2E_TOTP_SECRET if that person has an authenticator app. Creates a key for the suite.
 */
export async function connect(
  browser: Browser,
  { url, playwright }: Connection,
): Promise<RemoteService> {
  const { origin } = new URL(url);
  const totpSecret = process.env['E2E_TOTP_SECRET'];
  const owner = {
    email: needed('E2E_EMAIL'),
    password: needed('E2E_PASSWORD'),
    ...(totpSecret && { totpSecret }),
  };
  const signedIn = await signInAt(browser, { origin, owner });
  const api = await apiWith(playwright, { origin, token: await makeOwnKey(browser, signedIn) });
  return { ...signedIn, owner, api };
}

/**
 * Deletes the worker's webhooks and revokes its keys. The key that makes these calls comes last.
 */
export async function removeOwn(api: APIRequestContext): Promise<void> {
  for (const { uuid } of await listOwn(api, '/api/v1/webhooks')) {
    await api.delete(`/api/v1/webhooks/${uuid}`);
  }
  const keys = await listOwn(api, '/api/v1/api-keys');
  const isOurs = ({ name }: Named) => name === `Suite ${runMarker}`;
  for (const { uuid } of [...keys.filter((key) => !isOurs(key)), ...keys.filter(isOurs)]) {
    await api.delete(`/api/v1/api-keys/${uuid}`);
  }
}

/**
 * Giving the password again renews the session, so later steps use its new cookies. Cookies of
 * another person, whom the test signed in, do not change.
 */
export async function keepRenewed(
  context: BrowserContext,
  { service, session }: { service: Service; session: Cookie[] },
): Promise<void> {
  const cookies = await context.cookies(service.origin);
  const renewed = sessionIn(cookies);
  if (renewed === undefined || renewed === sessionIn(session)) return;
  const response = await context.request.get(`${service.home}data/getSession`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  if (!response.ok()) return;
  const data = await readData<{ person: { email: string } }>(response);
  if (data.person.email === service.owner.email) session.splice(0, session.length, ...cookies);
}

/** Signs in through the form, which is all that a service elsewhere offers. */
async function signInAt(
  browser: Browser,
  { origin, owner }: { origin: string; owner: Person },
): Promise<SignedIn> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await signIn(page, owner);
  await page.waitForURL('**/settings/api-keys');
  const home = page.url().replace(/settings\/api-keys$/, '');
  const session = await context.cookies();
  await context.close();
  return { session, home };
}

/**
 * Creates the suite's own key, if none is given. The key needs every scope that the suite will use.
 */
async function makeOwnKey(browser: Browser, { home, session }: SignedIn): Promise<string> {
  const context = await browser.newContext({ baseURL: home });
  await context.addCookies(session);
  const page = await context.newPage();
  await submitApiKey(page, { name: `Suite ${runMarker}` });
  const token = await readSecretOnce(page);
  await context.close();
  return token;
}

/** The value of a variable that the suite needs for a service elsewhere. */
export function needed(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`With E2E_BASE_URL the suite needs ${variable}.`);
  return value;
}

function sessionIn(cookies: readonly Cookie[]): string | undefined {
  return cookies.find(({ name }) => name.endsWith('session'))?.value;
}

type Named = { uuid: string; name: string };

async function listOwn(api: APIRequestContext, path: string): Promise<Named[]> {
  const response = await api.get(path);
  const data = await readData<Named[]>(response);
  return data.filter(({ name }) => name.includes(runMarker));
}
