import { randomBytes } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import type {
  APIRequestContext,
  Browser,
  BrowserContext,
  Cookie,
  Page,
  PlaywrightWorkerArgs,
  TestInfo,
} from '@playwright/test';
import { makeAccount } from './support/account.ts';
import type { Account } from './support/account.ts';
import type { ApiProxy } from './support/api-proxy.ts';
import type { Control } from './support/control/control.ts';
import { watch } from './support/guard.ts';
import type { Guard } from './support/guard.ts';
import { rowOf, submitApiKey, submitRotation } from './pages/api-keys.ts';
import type { ApiKeyInForm, OldOneEnds } from './pages/api-keys.ts';
import { signIn } from './pages/people/sign-in.ts';
import type { Person } from './pages/people/sign-in.ts';
import { provingOnTheWay } from './pages/people/identity.ts';
import { awaitHydration } from './pages/await-hydration.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';
import { submitWebhook } from './pages/webhooks.ts';
import type { WebhookInForm } from './pages/webhooks.ts';
import { redact } from './support/redact.ts';
import { startReceiver } from './support/receiver.ts';
import type { Receiver } from './support/receiver.ts';
import type { Server } from './support/server.ts';
import { startWorkerServer } from './support/worker-server.ts';
import type { WorkerServer } from './support/worker-server.ts';

/** The service under test, and the account that the test has in it. */
export type Service = {
  origin: string;
  /** Where the pages of the test's account stand, with a slash at the end. */
  home: string;
  owner: Person;
  /** The test's own account; null in a service that was running already. */
  account: Account | null;
  /** The server that the tests of a worker share; null as above. */
  worker: WorkerServer | null;
  /** The process, where the suite started it; null for a service that was running already. */
  server: Server | null;
  /** The token of the account's first key, where the suite chose it. */
  token: string | null;
  /** What the dashboard's server shows to the API, where the suite chose it. */
  credential: string | null;
};

type WorkerOptions = {
  /** Whether somebody can sign in to that server from the beginning. */
  isSetUp: boolean;
};

type WorkerFixtures = {
  /** The server that the tests of a worker share; null where the service runs elsewhere. */
  worker: WorkerServer | null;
  /** What all tests of a worker share in a service elsewhere; null where the suite has its own. */
  elsewhere: (SignedIn & { owner: Person; api: APIRequestContext }) | null;
};

type TestOptions = {
  /** What the test's account is called. */
  accountName: string;
};

type TestFixtures = {
  guard: Guard;
  /** The account of this test alone; null in a service that runs elsewhere, and where nobody can sign in. */
  account: Account | null;
  service: Service;
  /** The cookies of the account's owner. */
  session: Cookie[];
  /** The API, called with a full key. */
  api: APIRequestContext;
  /** What only tests may do to the service; skips the test where it runs elsewhere. */
  control: Control;
  /** Stands between the dashboard and the API, and can answer in its place. */
  apiProxy: ApiProxy;
  /** A page of the signed-in owner. Nothing is open in it yet. */
  signedIn: Page;
  /** Makes a name that nothing else has: `Staging e2e-3f9a0c12`. */
  named: (word: string) => string;
  /** Makes a key through the form and gives its token. */
  createApiKey: (key?: Partial<ApiKeyInForm>) => Promise<{ name: string; token: string }>;
  /** Rotates a key in the list and gives the new token. */
  rotateApiKey: (name: string, oldTokenEnds?: OldOneEnds) => Promise<string>;
  /** Makes a webhook through the form, active at the end, and gives its signing secret. */
  createWebhook: (webhook?: Partial<WebhookInForm>) => Promise<{ name: string; secret: string }>;
  /** Reads the secret that the signed-in page shows, confirms, and closes the dialog. */
  readSecretOnce: () => Promise<string>;
  /** A server that webhooks can be sent to, of this test alone. */
  receiver: Receiver;
  /** Makes a key by the API: quicker than the form, where the form isn't what is tested. */
  givenApiKey: (key?: GivenApiKey) => Promise<{ name: string; uuid: string; token: string }>;
  /** Makes a webhook by the API. It is inactive and nobody has its secret unless told otherwise. */
  givenWebhook: (webhook?: GivenWebhook) => Promise<{ name: string; uuid: string }>;
};

export type GivenApiKey = { name?: string; type?: string; scopes?: readonly string[] };
export type GivenWebhook = {
  name?: string;
  url?: string;
  isActive?: boolean;
  /** A secret was shown, and it alone signs; else the webhook has the one it was made with. */
  hasSecret?: boolean;
};

/** What the suite runs against if it doesn't start a server: E2E_BASE_URL with E2E_EMAIL and E2E_PASSWORD, and E2E_TOTP_SECRET if that person has an authenticator app. */
const remote = process.env['E2E_BASE_URL'];

/** Whether the service runs elsewhere, for the tests that need one of their own. */
export const isRemote = remote !== undefined && remote !== '';

/** Whether tests that have a long form run it: `npm test -- --full`. */
export const isFullRun = process.env['TEST_FULL'] === '1';

/** Marks everything that a worker makes, so that it can be told from what was there before. */
const run = `e2e-${randomBytes(2).toString('hex')}`;

const startMs = 240_000;

export const test = base.extend<TestOptions & TestFixtures, WorkerOptions & WorkerFixtures>({
  isSetUp: [true, { scope: 'worker', option: true }],
  accountName: ['Acme Support', { option: true }],

  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        awaitHydration(context);
        return context;
      };
      await use(browser);
      browser.newContext = newContext;
    },
    { scope: 'worker' },
  ],

  worker: [
    async ({ isSetUp }, use) => {
      if (isRemote) {
        await use(null);
        return;
      }
      const worker = await startWorkerServer({ isSetUp });
      await use(worker);
      await worker.server.destroy();
      await worker.apiProxy.close();
    },
    { scope: 'worker', timeout: startMs },
  ],

  elsewhere: [
    async ({ browser, playwright }, use) => {
      if (!remote) {
        await use(null);
        return;
      }
      const { origin } = new URL(remote);
      const totpSecret = process.env['E2E_TOTP_SECRET'];
      const owner = {
        email: needed('E2E_EMAIL'),
        password: needed('E2E_PASSWORD'),
        ...(totpSecret && { totpSecret }),
      };
      const signedIn = await signInAt(browser, { origin, owner });
      const api = await apiWith(playwright, {
        origin,
        token: await makeOwnKey(browser, signedIn),
      });
      await use({ ...signedIn, owner, api });
      await removeOwn(api);
      await api.dispose();
    },
    // It cleans up after every test, also after those that never call the API.
    { scope: 'worker', timeout: startMs, auto: isRemote },
  ],

  account: async ({ worker, isSetUp, accountName }, use) => {
    await use(worker && isSetUp ? await makeAccount(worker, accountName) : null);
  },

  service: async ({ account, elsewhere, worker }, use) => {
    const origin = worker?.server.origin ?? new URL(needed('E2E_BASE_URL')).origin;
    await use({
      origin,
      home: elsewhere?.home ?? (account ? `${origin}/a/${account.id}/` : `${origin}/`),
      owner: account?.owner ?? elsewhere?.owner ?? { email: 'nobody', password: 'nothing' },
      account,
      worker,
      server: worker?.server ?? null,
      token: account?.token ?? null,
      credential: worker?.credential ?? null,
    });
    await worker?.control.reset({});
  },

  session: async ({ account, elsewhere }, use) => {
    await use(account?.session ?? elsewhere?.session ?? []);
  },

  api: async ({ account, elsewhere, playwright, service }, use) => {
    if (elsewhere) {
      await use(elsewhere.api);
      return;
    }
    const api = await apiWith(playwright, { origin: service.origin, token: account?.token ?? '' });
    await use(api);
    await api.dispose();
  },

  control: async ({ worker }, use, testInfo) => {
    await use((worker ?? skipped(testInfo)).control);
  },

  apiProxy: async ({ page, worker }, use, testInfo) => {
    const { apiProxy } = worker ?? skipped(testInfo);
    await use(apiProxy);
    // First: a page goes on asking.
    await page.close();
    apiProxy.reset();
  },

  baseURL: async ({ service }, use) => await use(service.home),

  guard: [
    async ({ context, service }, use, testInfo) => {
      const guard = await watch(context, service.origin);
      await use(guard);
      await reportFailure(context, testInfo);
      expect(guard.problems(), 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],

  signedIn: async ({ context, page, service, session }, use) => {
    await context.addCookies(session);
    await use(page);
    if (isRemote) await keepRenewed(context, { service, session });
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
  named: async ({}, use) => {
    await use((word) => `${word} ${run}${randomBytes(2).toString('hex')}`);
  },

  createApiKey: async ({ signedIn, named, service }, use) => {
    await use(async (key = {}) => {
      const name = key.name ?? named('Key');
      const token = await provingOnTheWay(signedIn, service.owner, async () => {
        await submitApiKey(signedIn, { ...key, name });
        return await readSecretOnce(signedIn);
      });
      return { name, token };
    });
  },

  rotateApiKey: async ({ signedIn, service }, use) => {
    await use(
      async (name, oldTokenEnds) =>
        await provingOnTheWay(signedIn, service.owner, async () => {
          await submitRotation(signedIn, name, oldTokenEnds);
          return await readSecretOnce(signedIn);
        }),
    );
  },

  createWebhook: async ({ signedIn, named, service }, use) => {
    await use(async (webhook = {}) => {
      const name = webhook.name ?? named('Webhook');
      const secret = await provingOnTheWay(signedIn, service.owner, async () => {
        await submitWebhook(signedIn, { url: 'https://example.com/webhooks', ...webhook, name });
        return await readSecretOnce(signedIn);
      });
      // It is activated only once the secret's dialog has closed.
      await expect(rowOf(signedIn, name)).toContainText('Active');
      return { name, secret };
    });
  },

  readSecretOnce: async ({ signedIn }, use) => {
    await use(async () => await readSecretOnce(signedIn));
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },

  givenApiKey: async ({ api, named }, use) => {
    await use(async ({ name = named('Key'), type = 'full', scopes } = {}) => {
      const made = await post(api, '/api/v1/api-keys', { name, type, scopes });
      return { name, uuid: made.uuid, token: made.token };
    });
  },

  givenWebhook: async ({ api, named }, use) => {
    await use(
      async ({ name = named('Webhook'), url, isActive = false, hasSecret = false } = {}) => {
        const { uuid } = await post(api, '/api/v1/webhooks', {
          name,
          url: url ?? 'https://example.com/webhooks',
          events: ['message.created'],
          is_active: isActive,
        });
        if (hasSecret) {
          const alone = { grace_period_seconds: 0 };
          await post(api, `/api/v1/webhooks/${uuid}/regenerate-secret`, alone);
        }
        return { name, uuid };
      },
    );
  },
});

/** A test that runs only with `--full`: it covers a variant of what another test covers. */
export const fullTest: typeof test.only = isFullRun ? test : test.skip.bind(test);

type Made = { uuid: string; token: string };

async function post(api: APIRequestContext, path: string, data: object): Promise<Made> {
  const answer = await api.post(path, { data });
  expect(answer.status(), await failureOf(answer)).toBe(201);
  const body = (await answer.json()) as { data: Made };
  return body.data;
}

async function failureOf(answer: Awaited<ReturnType<APIRequestContext['post']>>): Promise<string> {
  return answer.ok() ? '' : await answer.text();
}

function needed(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`With E2E_BASE_URL the suite needs ${variable}.`);
  return value;
}

function skipped(testInfo: TestInfo): never {
  testInfo.skip(true, 'needs a service that the suite started');
  throw new Error('the test is skipped');
}

/** The owner's cookies, and where the pages of their account stand. */
type SignedIn = { session: Cookie[]; home: string };

/** What one sign-in through the form leads to, which is all that a service elsewhere offers. */
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

async function apiWith(
  { request }: PlaywrightWorkerArgs['playwright'],
  { origin, token }: { origin: string; token: string },
): Promise<APIRequestContext> {
  return await request.newContext({
    baseURL: origin,
    extraHTTPHeaders: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
  });
}

/** Where no key is given the suite makes one, which must reach as far as all it will handle. */
async function makeOwnKey(browser: Browser, { home, session }: SignedIn): Promise<string> {
  const context = await browser.newContext({ baseURL: home });
  await context.addCookies(session);
  const page = await context.newPage();
  await submitApiKey(page, { name: `Suite ${run}` });
  const token = await readSecretOnce(page);
  await context.close();
  return token;
}

/**
 * Giving the password again renews the session: what comes after goes on with its new cookies.
 * Those of somebody else, whom the test signed in, are left alone.
 */
async function keepRenewed(
  context: BrowserContext,
  { service, session }: { service: Service; session: Cookie[] },
): Promise<void> {
  const cookies = await context.cookies(service.origin);
  const renewed = sessionIn(cookies);
  if (renewed === undefined || renewed === sessionIn(session)) return;
  const answer = await context.request.get(`${service.home}data/session`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  if (!answer.ok()) return;
  const { data } = (await answer.json()) as { data: { person: { email: string } } };
  if (data.person.email === service.owner.email) session.splice(0, session.length, ...cookies);
}

function sessionIn(cookies: readonly Cookie[]): string | undefined {
  return cookies.find(({ name }) => name.endsWith('session'))?.value;
}

/** Deletes the worker's webhooks and revokes its keys; last the one that this is done with. */
async function removeOwn(api: APIRequestContext): Promise<void> {
  for (const { uuid } of await listOwn(api, '/api/v1/webhooks')) {
    await api.delete(`/api/v1/webhooks/${uuid}`);
  }
  const keys = await listOwn(api, '/api/v1/api-keys');
  const isOurs = ({ name }: Named) => name === `Suite ${run}`;
  for (const { uuid } of [...keys.filter((key) => !isOurs(key)), ...keys.filter(isOurs)]) {
    await api.delete(`/api/v1/api-keys/${uuid}`);
  }
}

type Named = { uuid: string; name: string };

async function listOwn(api: APIRequestContext, path: string): Promise<Named[]> {
  const answer = await api.get(path);
  const { data } = (await answer.json()) as { data: Named[] };
  return data.filter(({ name }) => name.includes(run));
}

/** A picture of what failed, and no secret: neither in it nor in what the report quotes. */
async function reportFailure(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  for (const [index, page] of context.pages().entries()) {
    // The report would describe the page as it stands.
    if ((await page.locator('[data-secret]').count()) > 0) await page.close();
    else await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
  }
  for (const error of testInfo.errors) {
    for (const [name, value] of Object.entries(error)) {
      if (typeof value === 'string') Object.assign(error, { [name]: redact(value) });
    }
  }
}
