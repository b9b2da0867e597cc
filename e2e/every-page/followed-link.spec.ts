import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { rowOf } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { expectNoLayoutShift, watchLayoutShifts } from '../pages/checks/layout-shifts.ts';

test('a followed link shows immediately that it was pressed, then a skeleton and its title, and waits while the service is unavailable', async ({
  givenApiKey,
  guard,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await watchLayoutShifts(page);
  await page.goto('settings/api-keys');
  await page.evaluate(watchTitles);
  const heading = (title: string) => page.getByRole('heading', { level: 1, name: title });
  const current = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current]');

  await test.step('the link of a button shows the form’s heading before its fields', async () => {
    const held = await holdPages(page);
    await page.getByRole('link', { name: 'Create key' }).click();
    await expect(heading('Create key')).toBeVisible();
    await expect(page).toHaveTitle(/^Create key · /);
    await expect(rowOf(page, name)).toBeHidden();
    await held.release();
    await expect(page.getByRole('button', { name: 'Create key' })).toBeVisible();
    await expectNoLayoutShift(page, 'API keys, then the form');
  });

  await test.step('a link of the sidebar is current immediately, and a skeleton follows', async () => {
    const held = await holdPages(page);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(current).toHaveText('Webhooks');
    await expect(page.getByRole('table', { name: 'Loading webhooks' })).toBeVisible();
    await expect(page).toHaveTitle(/^Webhooks · /);
    await held.release();
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    await expectNoLayoutShift(page, 'the form, then webhooks');
  });

  await test.step('the page of a row keeps its heading while the service is unavailable', async () => {
    guard.allow(/ERR_CONNECTION_REFUSED/);
    await page.getByRole('link', { name: 'API keys' }).click();
    await expect(rowOf(page, name)).toBeVisible();
    const held = await holdPages(page);
    await page.getByRole('link', { name, exact: true }).click();
    await expect(heading(name)).toBeVisible();
    await expect(current).toHaveText('API keys');
    await held.refuse();
    await expect(page.getByText('The service cannot be reached', { exact: true })).toBeVisible();
    await expect(page.getByText(/^Trying again in 0:0\d\.$/)).toBeVisible();
    await expect(heading(name)).toBeVisible();
    await held.release();
    await page.getByRole('button', { name: 'Try now' }).click();
    const edit = page.getByRole('link', { name: 'Edit key' });
    await expect(edit).toBeVisible();
    await expect(page.getByText('The service cannot be reached', { exact: true })).toBeHidden();
  });

  const pages = ['API keys', 'Create key', 'Webhooks', 'API keys', name];
  const titles = pages.map((title) => `${title} · Conversation Service`);
  expect(await page.evaluate(() => window.titles), 'never empty, nor that of another page').toEqual(
    titles,
  );
  expect(await visitedTitles(page), 'in the list of visited pages').toEqual(titles);

  await test.step('a link that is pressed before the typed search is in the URL', async () => {
    await page.getByRole('link', { name: 'API keys' }).first().click();
    await expect(rowOf(page, name)).toBeVisible();
    await page.evaluate(typeThenFollow, { typed: name, path: '/settings/webhooks' });
    await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('searchbox', { name: 'Search keys' })).toHaveValue(name);
  });
});

test('a link under the pointer or with the focus prefetches its page’s data once; a press marks only its link immediately, and a skeleton follows in the next task, before the server has responded', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook();
  await page.goto('settings/api-keys');
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first();

  await test.step('a link under the pointer or with the focus prefetches its page’s data once, and no other link does', async () => {
    const reads: string[] = [];
    page.on('request', (request) => {
      const [, read] = /\/data\/(.+)$/.exec(request.url()) ?? [];
      if (read !== undefined) reads.push(read);
    });
    const responseTo = (read: string) => page.waitForResponse(`**/data/${read}`);
    const listed = 'listWebhooks?query.include=state';
    const webhooks = responseTo(listed);
    await link('Webhooks').hover();
    await webhooks;
    await link('API keys').hover();
    await link('Webhooks').hover();
    const members = responseTo('listMembers');
    await link('Team').focus();
    await members;
    await link('Webhooks').click();
    await expect(rowOf(page, webhook.name)).toBeVisible();
    const statistics = responseTo(
      `getWebhookStatistics?params.webhook=${webhook.uuid}&query.window=24h*`,
    );
    await link(webhook.name).hover();
    await statistics;
    expect(reads.filter((read) => read === listed)).toHaveLength(1);
    expect(reads.filter((read) => read === 'listMembers')).toHaveLength(1);
    expect(reads.filter((read) => read.includes('Statistics'))).toHaveLength(1);
  });

  const skeleton = page.locator('main [aria-busy=true]');
  const goBack = async () => {
    await expect(skeleton).toHaveCount(0);
    await link('Webhooks').click();
    await expect(rowOf(page, webhook.name)).toBeVisible();
    await expect(skeleton).toHaveCount(0);
  };
  await test.step('the skeletons, which are loaded after the page, are there', async () => {
    const held = await holdPages(page);
    await link('Audit log').click();
    await expect(skeleton.first()).toBeVisible();
    await held.release();
    await goBack();
  });
  const pages = [webhook.name, 'Team', 'API keys'];
  for (const name of pages) {
    const held = await holdPages(page);
    expect(await link(name).evaluate(pressLink), `after ${name}`).toEqual({
      inTheEvent: { marked: [name], heading: undefined },
      inTheNextTask: { marked: [name], heading: name },
    });
    await held.release();
    await goBack();
  }
});

type Shown = { marked: (string | null)[]; heading: string | null | undefined };

/** Presses a link. Returns which links look pressed then, and the heading of the skeleton. */
async function pressLink(link: Element): Promise<{ inTheEvent: Shown; inTheNextTask: Shown }> {
  const look = () => {
    const skeletons = [...document.querySelectorAll('main [aria-busy] h1')];
    return {
      marked: [...document.querySelectorAll('[data-pressed]')].map((each) => each.textContent),
      heading: skeletons.find((each) => each.checkVisibility({ visibilityProperty: true }))
        ?.textContent,
    };
  };
  (link as HTMLAnchorElement).click();
  // React renders what an event changed in a microtask after it.
  await Promise.resolve();
  const inTheEvent = look();
  // A message that is posted later arrives later.
  const { port1, port2 } = new MessageChannel();
  port1.start();
  port2.postMessage(null);
  await new Promise((resolve) => port1.addEventListener('message', resolve, { once: true }));
  return { inTheEvent, inTheNextTask: look() };
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface is merged
  interface Window {
    /** The titles that the document had, in order. */
    titles?: string[];
  }
}

function watchTitles(): void {
  const titles = [document.title];
  window.titles = titles;
  new MutationObserver(() => {
    if (titles.at(-1) !== document.title) titles.push(document.title);
  }).observe(document.head, { childList: true, characterData: true, subtree: true });
}

/** The titles of the pages in the history before the open one, and of the open one. */
async function visitedTitles(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page);
  const { entries } = await browser.send('Page.getNavigationHistory');
  return entries.filter(({ url }) => url !== 'about:blank').map(({ title }) => title);
}

type HeldPages = {
  /** Responds to the held requests and all later ones like an unavailable service. */
  refuse: () => Promise<void>;
  /** Lets the held requests and all later ones through. */
  release: () => Promise<void>;
};

/** Holds back the pages that links request, as a slow connection does. */
async function holdPages(page: Page): Promise<HeldPages> {
  const isPage = (url: URL) => url.searchParams.has('_rsc');
  let isAway = false;
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  await page.route(isPage, async (route) => {
    await held;
    await (isAway ? route.abort('connectionrefused') : route.continue());
  });
  return {
    async refuse() {
      isAway = true;
      end();
    },
    async release() {
      isAway = false;
      end();
    },
  };
}

/** Types into the search and presses a link in the same task, which browser drivers cannot do. */
function typeThenFollow({ typed, path }: { typed: string; path: string }): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  document.execCommand('insertText', false, typed);
  document.querySelector<HTMLAnchorElement>(`nav a[href$="${path}"]`)?.click();
}
