import { randomBytes } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import type { TestInfo } from '@playwright/test';
import { makeAccount } from './helpers/account.ts';
import { apiWith, post } from './helpers/api-client.ts';
import type {
  TestFixtures,
  TestOptions,
  WorkerFixtures,
  WorkerOptions,
} from './helpers/fixture-types.ts';
import { startReceiver } from './helpers/servers/receiver.ts';
import { connect, keepRenewed, needed, removeOwn } from './helpers/servers/remote-service.ts';
import { reportFailure } from './helpers/report-failure.ts';
import { runMarker } from './helpers/run-marker.ts';
import { watch } from './helpers/watch-browser.ts';
import { startWorkerServer } from './helpers/servers/worker-server.ts';
import { rowOf, submitApiKey, submitRotation } from './pages/api-keys.ts';
import { awaitHydration } from './pages/await-hydration.ts';
import { whileProvingIdentity } from './pages/people/identity.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';
import { openWebhooks, submitWebhook } from './pages/webhooks.ts';

/**
 * The service to test if the suite doesn't start a server: E2E_BASE_URL, with the variables
 * that `helpers/servers/remote-service.ts` names, to sign in.
 */
const remoteUrl = process.env['E2E_BASE_URL'] || undefined;

/** Whether the service runs elsewhere, for the tests that need one of their own. */
export const isRemote = remoteUrl !== undefined;

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
      const worker = await startWorkerServer({ isFirstStart: !isSetUp });
      await use(worker);
      await worker.server.destroy();
      await worker.apiProxy.close();
    },
    { scope: 'worker', timeout: startMs },
  ],

  elsewhere: [
    async ({ browser, playwright }, use) => {
      if (remoteUrl === undefined) {
        await use(null);
        return;
      }
      const connected = await connect(browser, { url: remoteUrl, playwright });
      await use(connected);
      await removeOwn(connected.api);
      await connected.api.dispose();
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
    // Long enough that no two of a run are the same: the support desk searches all accounts.
    await use((word) => `${word} ${runMarker}${randomBytes(6).toString('hex')}`);
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
      // It is activated only once the secret's dialog has closed, and its page opens.
      await expect(signedIn.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
      await openWebhooks(signedIn);
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

function skipped(testInfo: TestInfo): never {
  testInfo.skip(true, 'needs a service that the suite started');
  throw new Error('the test is skipped');
}
