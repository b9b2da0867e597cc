import { expect, test as base } from '@playwright/test';
import { startReceiver, writeMessage } from 'conversation-service-playwright-kit';
import type { Account, Person, Receiver } from 'conversation-service-playwright-kit';
import { startWorkerServer } from '../helpers/servers/worker-server.ts';
import type { WorkerServer } from '../helpers/servers/worker-server.ts';
import type { Browser } from './drivers/driver.ts';
import { startEngine } from './engines.ts';
import type { EngineName } from './engines.ts';
import { tabOf } from './tab.ts';
import type { Tab } from './tab.ts';

type WorkerFixtures = {
  /** The browser in which the journeys run. */
  engine: EngineName;
  worker: WorkerServer;
  driven: Browser;
};

type TestFixtures = {
  account: Account;
  owner: Person;
  service: { origin: string };
  /** A tab of a browser with a new profile. */
  tab: Tab;
  receiver: Receiver;
  /** The URL of the account's pages. */
  home: string;
  /** The status of the API's response to a call with this token. */
  statusOf: (token: string) => Promise<number>;
  /** Writes a message to the account, in a new conversation. */
  writeMessage: (text: string) => Promise<void>;
};

const startMs = 240_000;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['firefox', { scope: 'worker', option: true }],

  worker: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
    async ({}, use) => {
      const worker = await startWorkerServer({});
      await use(worker);
      await worker.server.destroy();
      await worker.apiProxy.close();
    },
    { scope: 'worker', timeout: startMs },
  ],

  driven: [
    async ({ engine }, use) => {
      const driven = await startEngine(engine);
      await use(driven);
      await driven.close();
    },
    { scope: 'worker', timeout: startMs },
  ],

  account: async ({ worker }, use) => await use(await worker.addAccount('Acme Support')),
  owner: async ({ account }, use) => await use(account.owner),
  service: async ({ worker }, use) => await use({ origin: worker.server.origin }),

  home: async ({ account, service }, use) => await use(`${service.origin}/a/${account.id}/`),

  statusOf: async ({ request, service }, use) => {
    await use(async (token) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await request.get(`${service.origin}/api/v1/api-key`, { headers })).status();
    });
  },

  writeMessage: async ({ account, playwright, service }, use) => {
    const api = await playwright.request.newContext({
      baseURL: service.origin,
      extraHTTPHeaders: { Authorization: `Bearer ${account.token}` },
    });
    await use(async (text) => await writeMessage(api, text));
    await api.dispose();
  },

  tab: async ({ driven }, use) => {
    const tab = tabOf(await driven.openTab());
    await use(tab);
    await tab.close();
    expect(tab.problems(), 'what the browser complained about').toEqual([]);
  },

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});
