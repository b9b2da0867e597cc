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
import { makeAccount } from './helpers/account.ts';
import type { Account } from './helpers/account.ts';
import type { ApiProxy } from './helpers/api-proxy.ts';
import type { Control } from './helpers/control/control.ts';
import { watch } from './helpers/watch-browser.ts';
import type { Guard } from './helpers/watch-browser.ts';
import { rowOf, submitApiKey, submitRotation } from './pages/api-keys.ts';
import type { ApiKeyInForm, OldOneEnds } from './pages/api-keys.ts';
import { signIn } from './pages/people/sign-in.ts';
import type { Person } from './pages/people/sign-in.ts';
import { whileProvingIdentity } from './pages/people/identity.ts';
import { awaitHydration } from './pages/await-hydration.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';
import { submitWebhook } from './pages/webhooks.ts';
import type { WebhookInForm } from './pages/webhooks.ts';
import { redact } from './helpers/redact.ts';
import { startReceiver } from './helpers/receiver.ts';
import type { Receiver } from './helpers/receiver.ts';
import type { Server } from './helpers/server.ts';
import { startWorkerServer } from './helpers/worker-server.ts';
import type { WorkerServer } from './helpers/worker-server.ts';

/** The service under test, and the test's account in it. */
export type Service = {
  origin: string;
  /** The URL of the account's pages, with a slash at the end. */
  home: string;
  owner: Person;
  /** The id of the test's own account; null in a service that was already running. */
  account: Account | null;
  /** The server that the tests of a worker share; null in a service that was already running. */
  worker: WorkerServer | null;
  /** The process, if the suite started it; null for a service that was already running. */
  server: Server | null;
  /** The token of the account's first key, if the suite chose it. */
  token: string | null;
  /** The credential of the dashboard's server, if the suite chose it. */
  credential: string | null;
};

type WorkerOptions = {
  /** Whether somebody can sign in to that server from the beginning. */
  isSetUp: boolean;
};

type WorkerFixtures = {
  /** The server that the tests of a worker share; null if the service runs elsewhere. */
  worker: WorkerServer | null;
  /** What all tests of a worker share in a service elsewhere; null if the suite started its own. */
  elsewhere: (SignedIn & { owner: Person; api: APIRequestContext }) | null;
};

type TestOptions = {
  /** The name of the test's account. */
  accountName: string;
};

type TestFixtures = {
  guard: Guard;
  /**
   * The account of this test alone; null in a service that runs elsewhere, and if nobody can sign
   * in.
   */
  account: Account | null;
  service: Service;
  /** The cookies of the account's owner. */
  session: Cookie[];
  /** The API, called with a full key. */
  api: APIRequestContext;
  /** What only tests may do to the service. Skips the test if the service runs elsewhere. */
  control: Control;
  /** A proxy between the dashboard and the API, which can respond in place of the API. */
  apiProxy: ApiProxy;
  /** A page of the signed-in owner, with nothing open in it yet. */
  signedIn: Page;
  /** Makes a unique name: `Staging e2e-3f9a0c12`. */
  named: (word: string) => string;
  /** Creates a key through the form and returns its token. */
  createApiKey: (key?: Partial<ApiKeyInForm>) => Promise<{ name: string; token: string }>;
  /** Rotates a key in the list and returns the new token. */
  rotateApiKey: (name: string, oldTokenEnds?: OldOneEnds) => Promise<string>;
  /** Creates a webhook through the form, active at the end, and returns its signing secret. */
  createWebhook: (webhook?: Partial<WebhookInForm>) => Promise<{ name: string; secret: string }>;
  /** Reads the secret that the signed-in page shows, confirms, and closes the dialog. */
  readSecretOnce: () => Promise<string>;
  /** A server for this test alone, to which webhooks can be sent. */
  receiver: Receiver;
  /** Creates a key with the API: quicker than the form, for tests that are not about the form. */
  givenApiKey: (key?: GivenApiKey) => Promise<{ name: string; uuid: string; token: string }>;
  /** Creates a webhook with the API. By default it is inactive and nobody was shown its secret. */
  givenWebhook: (webhook?: GivenWebhook) => Promise<{ name: string; uuid: string }>;
};

export type GivenApiKey = { name?: string; type?: string; scopes?: readonly string[] };
export type GivenWebhook = {
  name?: string;
  url?: string;
  isActive?: boolean;
  /**
   * Whether a secret was shown, which then alone signs. Otherwise the webhook has the secret that
   * it was created with.
   */
  hasSecret?: boolean;
};

/**
 * The service to test if the suite doesn't start a server: E2E_BASE_URL with E2E_EMAIL and
 * E2E_PASSWORD, and E2E_TOTP_SECRET if that person has an authenticator app.
 */
const remote = process.env['E2E_BASE_URL'];

/** Whether the service runs elsewhere, for the tests that need one of their own. */
export const isRemote = remote !== undefined && remote !== '';

/** Whether tests run their long form: `npm test -- --full`. */
export const isFullRun = process.env['TEST_FULL'] === '1';

/**
 * The marker in the names of everything that a worker creates, to tell it from what existed before.
 */
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
    // It cleans up after every test, including tests that never call the API.
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
    // Closed first, because a page keeps sending requests.
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
      const token = await whileProvingIdentity(signedIn, service.owner, async () => {
        await submitApiKey(signedIn, { ...key, name });
        return await readSecretOnce(signedIn);
      });
      return { name, token };
    });
  },

  rotateApiKey: async ({ signedIn, service }, use) => {
    await use(
      async (name, oldTokenEnds) =>
        await whileProvingIdentity(signedIn, service.owner, async () => {
          await submitRotation(signedIn, name, oldTokenEnds);
          return await readSecretOnce(signedIn);
        }),
    );
  },

  createWebhook: async ({ signedIn, named, service }, use) => {
    await use(async (webhook = {}) => {
      const name = webhook.name ?? named('Webhook');
      const secret = await whileProvingIdentity(signedIn, service.owner, async () => {
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

/** A test that runs only with `--full`, because it covers a variant of another test. */
export const fullTest: typeof test.only = isFullRun ? test : test.skip.bind(test);

type Made = { uuid: string; token: string };

async function post(api: APIRequestContext, path: string, data: object): Promise<Made> {
  const response = await api.post(path, { data });
  expect(response.status(), await failureOf(response)).toBe(201);
  const body = (await response.json()) as { data: Made };
  return body.data;
}

async function failureOf(
  response: Awaited<ReturnType<APIRequestContext['post']>>,
): Promise<string> {
  return response.ok() ? '' : await response.text();
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

async function apiWith(
  { request }: PlaywrightWorkerArgs['playwright'],
  { origin, token }: { origin: string; token: string },
): Promise<APIRequestContext> {
  return await request.newContext({
    baseURL: origin,
    extraHTTPHeaders: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
  });
}

/**
 * Creates the suite's own key, if none is given. The key needs every scope that the suite will use.
 */
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
 * Giving the password again renews the session, so later steps use its new cookies. Cookies of
 * another person, whom the test signed in, do not change.
 */
async function keepRenewed(
  context: BrowserContext,
  { service, session }: { service: Service; session: Cookie[] },
): Promise<void> {
  const cookies = await context.cookies(service.origin);
  const renewed = sessionIn(cookies);
  if (renewed === undefined || renewed === sessionIn(session)) return;
  const response = await context.request.get(`${service.home}data/session`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  if (!response.ok()) return;
  const { data } = (await response.json()) as { data: { person: { email: string } } };
  if (data.person.email === service.owner.email) session.splice(0, session.length, ...cookies);
}

function sessionIn(cookies: readonly Cookie[]): string | undefined {
  return cookies.find(({ name }) => name.endsWith('session'))?.value;
}

/**
 * Deletes the worker's webhooks and revokes its keys. The key that makes these calls comes last.
 */
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
  const response = await api.get(path);
  const { data } = (await response.json()) as { data: Named[] };
  return data.filter(({ name }) => name.includes(run));
}

/** Attaches a picture of the failure. Neither the picture nor the report contains a secret. */
async function reportFailure(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  for (const [index, page] of context.pages().entries()) {
    // Otherwise the report would describe the page as it is.
    if ((await page.locator('[data-secret]').count()) > 0) await page.close();
    else await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
  }
  for (const error of testInfo.errors) {
    for (const [name, value] of Object.entries(error)) {
      if (typeof value === 'string') Object.assign(error, { [name]: redact(value) });
    }
  }
}
