import { test as base } from 'conversation-service-playwright-kit';
import type { Account } from 'conversation-service-playwright-kit';
import type {
  Service,
  TestFixtures,
  WorkerFixtures,
  WorkerOptions,
} from './helpers/fixture-types.ts';
import { startWorkerServer } from './helpers/servers/worker-server.ts';

export const test = base.extend<TestFixtures, WorkerOptions & WorkerFixtures>({
  isSetUp: [true, { scope: 'worker', option: true }],

  worker: [
    async ({ isSetUp }, use) => {
      const worker = await startWorkerServer({ isFirstStart: !isSetUp });
      await use(worker);
      await worker.server.destroy();
      await worker.apiProxy.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  installation: [
    async ({ worker, isSetUp }, use) => {
      await use({
        origin: worker.origin,
        addAccount: isSetUp ? worker.addAccount : async () => nobodyIn(worker.origin),
        // It changes when the server starts again.
        get control() {
          return worker.control;
        },
        close: async () => undefined,
      });
    },
    { scope: 'worker' },
  ],

  service: async ({ account, worker }, use) => {
    const { server, credential } = worker;
    const { home, owner, token } = account;
    const more = { worker, server, token, credential };
    const service: Service = { origin: server.origin, home, owner, account, ...more };
    await use(service);
  },

  apiProxy: async ({ page, worker: { apiProxy } }, use) => {
    await use(apiProxy);
    // Closed first, because a page keeps sending requests.
    await page.close();
    apiProxy.reset();
  },
});

/** In place of an account, on a server on which nobody is set up yet. */
function nobodyIn(origin: string): Account {
  return {
    id: '',
    name: '',
    home: `${origin}/`,
    domain: '',
    owner: { email: 'nobody', password: 'nothing' },
    session: [],
    token: '',
    memberWith: () => Promise.reject(new Error('nobody is set up')),
    remove: async () => undefined,
  };
}
