import { chromium } from '@playwright/test';
import type { Browser, BrowserContext } from '@playwright/test';
import { newToken } from '#service/tokens/token.ts';
import { obtainChromium } from '../../browser/chromium.ts';
import { chromiumArguments } from '../../browser/chromium-arguments.ts';
import { createClient } from '../../demo/client.ts';
import { startService } from '../../start-service.ts';

/** Arguments of the browser that make tests cheaper, and that a person's browser does not have. */
const onlyForTests = /^--(js-flags|renderer-process-limit)/;

const webhookCount = 100;
const keyCount = 200;

/** The product on the embedded database, with an account that is as full as an account may be. */
export type MeasuredDashboard = {
  origin: string;
  /** The address of a page of the account. */
  address: (page: string) => string;
  /** The token of a key that may do everything. */
  token: string;
  /** The cookie that the owner's browser sends. */
  cookie: string;
  webhook: { uuid: string; name: string };
  apiKey: { uuid: string; name: string };
  /** A browser in which the owner is signed in. */
  newContext: () => Promise<BrowserContext>;
  close: () => Promise<void>;
};

type Session = { session_token: string };
type Made = { uuid: string; name: string };

export async function openMeasuredDashboard(): Promise<MeasuredDashboard> {
  const credential = newToken();
  const service = await startService({
    PORT: '0',
    DASHBOARD_CREDENTIAL: credential,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_CREATIONS_PER_HOUR: '1000000',
  });
  let browser: Browser | undefined;
  try {
    const origin = await service.origin;
    const call = createClient(origin, service.token);
    const webhooks: Made[] = [];
    for (let number = 1; number <= webhookCount; number += 1) {
      const name = `Order notifier ${number}`;
      const url = `https://hooks.example.com/orders/${number}`;
      webhooks.push(await call('POST', '/webhooks', { name, url, events: ['message.created'] }));
    }
    const apiKeys: Made[] = [];
    // The first key exists from the start.
    for (let number = 2; number <= keyCount; number += 1) {
      apiKeys.push(await call('POST', '/api-keys', { name: `Backend ${number}`, type: 'full' }));
    }
    const { sessionToken, accountId } = await signIn(origin, credential, service.person);
    const cookie = `session=${encodeURIComponent(sessionToken)}`;
    const [webhook] = webhooks;
    const [apiKey] = apiKeys;
    if (!webhook || !apiKey) throw new Error('Nothing was made.');
    browser = await launchBrowser();
    return {
      origin,
      address: (page) => `${origin}/a/${accountId}/settings/${page}`,
      token: service.token,
      cookie,
      webhook,
      apiKey,
      newContext: async () => await signedIn(browser, { origin, sessionToken }),
      async close() {
        await browser?.close();
        await service.stop();
      },
    };
  } catch (error) {
    await browser?.close();
    await service.stop();
    throw error;
  }
}

async function signIn(
  origin: string,
  credential: string,
  person: object,
): Promise<{ sessionToken: string; accountId: string }> {
  const path = `${origin}/api/dashboard/session`;
  const authorization = `Bearer ${credential}`;
  const opened = await fetch(path, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  });
  const { session_token: sessionToken } = ((await opened.json()) as { data: Session }).data;
  const read = await fetch(path, {
    headers: { Authorization: authorization, 'X-Dashboard-Session': sessionToken },
  });
  const { data } = (await read.json()) as { data: { account: { id: string } } };
  return { sessionToken, accountId: data.account.id };
}

async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await obtainChromium();
  return await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    // Like a person's browser, it optimizes code that runs often, and has a process to spare.
    args: chromiumArguments.filter((argument) => !onlyForTests.test(argument)),
    ...(env && { env: { ...process.env, ...env } }),
  });
}

async function signedIn(
  browser: Browser | undefined,
  { origin, sessionToken }: { origin: string; sessionToken: string },
): Promise<BrowserContext> {
  if (!browser) throw new Error('The browser has not started.');
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
  });
  await context.addCookies([
    { name: 'session', value: encodeURIComponent(sessionToken), url: origin, httpOnly: true },
  ]);
  return context;
}
