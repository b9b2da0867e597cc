import { randomBytes } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { apiWith, post } from './api-client.ts';
import { attach } from './attach.ts';
import { serviceInEnvironment } from './environment.ts';
import type { TestFixtures, TestOptions, WorkerFixtures } from './fixture-types.ts';
import { bringDeliveryTo } from './given-delivery.ts';
import { rowOf, submitApiKey, submitRotation } from './pages/api-keys.ts';
import { awaitHydration } from './pages/await-hydration.ts';
import { whileProvingIdentity } from './pages/people/identity.ts';
import { readSecretOnce } from './pages/secret-dialog.ts';
import { openWebhooks, submitWebhook } from './pages/webhooks.ts';
import { startReceiver } from './receiver.ts';
import { reportFailure } from './report-failure.ts';
import { watch } from './watch-browser.ts';

export const test = base.extend<TestOptions & TestFixtures, WorkerFixtures>({
  accountName: ['Acme Support', { option: true }],

  // They would store tokens: those in the headers of each call, and those that pages show once.
  trace: ['off', { scope: 'worker' }],
  video: ['off', { scope: 'worker' }],
  screenshot: ['off', { scope: 'worker' }],

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

  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
    async ({}, use) => {
      const installation = await attach(serviceInEnvironment());
      await use(installation);
      await installation.close();
    },
    { scope: 'worker' },
  ],

  account: async ({ installation, accountName }, use) => {
    const account = await installation.addAccount(accountName);
    await use(account);
    await account.remove();
    await installation.control?.reset({});
  },

  service: async ({ account, installation: { origin } }, use) => {
    await use({ origin, home: account.home, owner: account.owner, account });
  },

  control: async ({ installation: { control } }, use) => {
    if (control === null) throw new Error('Only a service that the kit started can be controlled.');
    await use(control);
  },

  session: async ({ account }, use) => await use(account.session),

  api: async ({ account, playwright, service }, use) => {
    const api = await apiWith(playwright, { origin: service.origin, token: account.token });
    await use(api);
    await api.dispose();
  },

  baseURL: async ({ service }, use) => await use(service.home),

  guard: [
    async ({ context, service }, use, testInfo) => {
      const { account } = service;
      const guard = await watch(context, service.origin);
      await use(guard);
      await reportFailure(context, testInfo, [account.token, account.owner.password]);
      expect(guard.problems(), 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],

  signedIn: async ({ context, page, session }, use) => {
    await context.addCookies(session);
    await use(page);
  },

  signedInAs: async ({ account, browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (role) => {
      const { session } = await account.memberWith(role);
      const context = await browser.newContext({ baseURL: account.home });
      contexts.push(context);
      await context.addCookies(session);
      return await context.newPage();
    });
    for (const context of contexts) await context.close();
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
  named: async ({}, use) => {
    // Long enough that no two of a run are the same: the support desk searches all accounts.
    await use((word) => `${word} e2e-${randomBytes(6).toString('hex')}`);
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

  givenDelivery: async ({ api, givenWebhook, installation, receiver }, use) => {
    await use(async (state) => {
      const webhook = await givenWebhook({ url: receiver.url, isActive: true });
      const { control } = installation;
      return await bringDeliveryTo(state, { api, control, receiver, webhook });
    });
  },
});
