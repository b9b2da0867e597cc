import { startBetween } from './between.ts';
import type { Between, Reply } from './between.ts';
import { test as base } from './fixtures.ts';
import { startServer } from './server.ts';

type WorkerFixtures = {
  /** Stands between the dashboard of these tests and the API. */
  way: Between;
  /** The origin of that dashboard: a process of its own. */
  webOrigin: string;
};

/** The suite's fixtures, with a dashboard whose API a test can answer for. */
export const test = base.extend<{ between: Between }, WorkerFixtures>({
  way: [
    async ({ service }, use) => {
      const way = await startBetween(service.origin);
      await use(way);
      await way.close();
    },
    { scope: 'worker' },
  ],

  webOrigin: [
    async ({ service, way }, use) => {
      const web = await startServer({
        ROLES: 'web',
        API_BASE_URL: way.origin,
        DASHBOARD_CREDENTIAL: service.credential ?? '',
      });
      await use(web.origin);
      await web.destroy();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ webOrigin }, use) => await use(webOrigin),

  between: async ({ guard, page, way, webOrigin }, use) => {
    guard.trust(webOrigin);
    await use(way);
    // First: a page goes on asking.
    await page.close();
    way.reset();
  },
});

/** The documented error envelope. */
export function refusal(status: number, error: object, requestId = 'req-from-the-test'): Reply {
  return {
    status,
    body: { success: false, error },
    headers: { 'x-request-id': requestId },
  };
}

export const rateLimited = (seconds: number) =>
  refusal(429, {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many requests. Please slow down.',
    retry_after: seconds,
  });

export const broken = () =>
  refusal(500, { code: 'INTERNAL_ERROR', message: 'Something went wrong.' });
