import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import { awaitHydration, openSession } from 'conversation-service-playwright-kit';
import { browserOfPeople, startInstallation, timeOf } from './installation.ts';
import type { Installation } from './installation.ts';
import { compressPng } from './compress-png.ts';
import { foundMarlowAndFinch } from './story/marlow-and-finch.ts';
import type { Company } from './story/marlow-and-finch.ts';
import { fillSupportDesk } from './story/support-desk.ts';
import { secureSignIns } from './story/second-factors.ts';
import { sendDeliveries, useKeysAndWebhooks } from './story/last-days.ts';

/** When the pictures are taken. */
const now = '11-24 10:20';

type WorkerFixtures = { installation: Installation; company: Company };

type TestFixtures = {
  /** Opens a page of the company, or one that begins with a slash, as this person. */
  open: (email: string, address: string) => Promise<Page>;
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what is needed
    async ({}, use) => {
      const installation = await startInstallation();
      await use(installation);
      await installation.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  company: [
    async ({ browser, installation }, use) => {
      const company = await foundMarlowAndFinch(installation);
      await secureSignIns(installation, browser, company);
      await fillSupportDesk(installation, company);
      await useKeysAndWebhooks(installation, company);
      await sendDeliveries(installation, company);
      await use(company);
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  open: async ({ company, context, installation }, use) => {
    const { worker, setClock } = installation;
    await use(async (email, address) => {
      await setClock(now);
      awaitHydration(context);
      await context.setExtraHTTPHeaders({ 'X-Forwarded-For': browserOfPeople.ip });
      await context.addCookies(await openSession(worker, { email }));
      const page = await context.newPage();
      const path = address.startsWith('/') ? address : `/a/${company.id}/${address}`;
      await page.goto(worker.server.origin + path);
      // Not before: the page's server has the system's time, and hydration would keep its texts.
      await page.clock.setFixedTime(timeOf(now));
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      return page;
    });
  },
});

/** Stores a picture of the page in light and in dark, 1280 px wide and this high. */
export async function takePicture(
  page: Page,
  { name, height }: { name: string; height: number },
): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
  await expect(page.locator('body')).not.toContainText(/sk_live_\w{20}|whsec_[\w+/]{20}/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const picture = await page.screenshot({ animations: 'disabled' });
    const file = new URL(`../../docs/pictures/${name}-${colorScheme}.png`, import.meta.url);
    await writeFile(fileURLToPath(file), compressPng(picture));
  }
}
