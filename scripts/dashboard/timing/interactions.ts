import type { Locator, Page } from '@playwright/test';
import type { Figure } from './figures.ts';
import { medianOf } from './figures.ts';
import type { MeasuredDashboard } from './measured-dashboard.ts';
import { measuredPages } from './measured-pages.ts';

const maxMs = 100;
const slowdown = 4;
const times = 3;
/** Less than a pixel of a line. */
const invisibleShift = 0.001;

/**
 * How long after a press or a key the next frame is painted, on a processor that is slowed down to
 * a quarter: the longest of its events, as the Event Timing API reports them.
 */
export async function measureInteractions(dashboard: MeasuredDashboard): Promise<Figure[]> {
  const { address, apiKey, webhook } = dashboard;
  const measured = new Map<string, number[]>();
  const context = await dashboard.newContext();
  const page = await context.newPage();
  await page.addInitScript(noteInteractions);
  const browser = await context.newCDPSession(page);
  const timed = async (
    what: string,
    act: () => Promise<unknown>,
    shows: () => Promise<unknown>,
  ) => {
    const duration = await timeInteraction(page, act, shows);
    measured.set(what, [...(measured.get(what) ?? []), duration]);
  };

  for (let time = 0; time < times; time += 1) {
    await openAtRest(page, address('api-keys'));
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const menu = page.getByRole('menuitem', { name: 'Rotate token' });
    const dialog = page.getByRole('dialog');
    const button = page.getByRole('button', { name: `Actions for ${apiKey.name}`, exact: true });
    await timed('open the menu of a row', await pressOf(button), async () => await menu.waitFor());
    await timed(
      'open the dialog to rotate',
      await pressOf(menu),
      async () => await dialog.waitFor(),
    );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const search = page.getByRole('searchbox');
    await search.focus();
    const count = page.getByRole('search').getByRole('status');
    await timed(
      'type in the search over 200 keys',
      async () => await page.keyboard.press('7'),
      async () => await count.filter({ hasText: ' of ' }).waitFor(),
    );
    await page.keyboard.press('Backspace');
    await count.filter({ hasNotText: ' of ' }).waitFor();
    const link = page.getByRole('link', { name: 'Team', exact: true });
    await timed(
      'follow a link from 200 keys',
      await pressOf(link),
      async () => await page.waitForURL('**/team'),
    );
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });

    await openAtRest(page, address(`webhooks/${webhook.uuid}`));
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const tab = page.getByRole('link', { name: 'Deliveries', exact: true });
    await timed(
      'switch a tab',
      await pressOf(tab),
      async () => await page.waitForURL('**/deliveries'),
    );
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });

    await openAtRest(page, address('audit-log'));
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const entry = page.getByRole('rowheader').getByRole('button').first();
    await timed('open the drawer', await pressOf(entry), async () => await dialog.waitFor());
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
  await context.close();
  return [...measured].map(([what, durations]) => ({
    what,
    value: medianOf(durations),
    max: maxMs,
    unit: 'ms',
  }));
}

/** How far each page shifts by itself while it loads. */
export async function measureLayoutShift(dashboard: MeasuredDashboard): Promise<Figure[]> {
  const context = await dashboard.newContext();
  const page = await context.newPage();
  await page.addInitScript(noteLayoutShifts);
  const figures: Figure[] = [];
  for (const what of measuredPages(dashboard)) {
    await openAtRest(page, dashboard.address(what));
    const value = await page.evaluate(() => window.shifted);
    figures.push({
      what: what.replace(/[0-9a-f-]{36}/, '…'),
      value,
      max: invisibleShift,
      unit: 'shift',
    });
  }
  await context.close();
  return figures;
}

async function openAtRest(page: Page, address: string): Promise<void> {
  await page.goto(address);
  // Including everything that is loaded after the page.
  await page.waitForLoadState('networkidle');
}

/** Moves the pointer to where it will press, as a person does, so that only the press is timed. */
async function pressOf(element: Locator): Promise<() => Promise<void>> {
  const page = element.page();
  await element.hover();
  await waitForFrames(page);
  return async () => {
    await page.mouse.down();
    await page.mouse.up();
  };
}

/** @param shows waits for what the person waits for */
async function timeInteraction(
  page: Page,
  act: () => Promise<unknown>,
  shows: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(() => {
    window.interactions = [];
  });
  await act();
  // Nothing is searched in the page until the frame is painted, because that would be measured too.
  await waitForFrames(page);
  await shows();
  const durations = await page.evaluate(() => window.interactions);
  return Math.max(0, ...durations);
}

/**
 * Waits two frames, and long enough for the browser to report an event after its frame was painted.
 */
async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(
    async () =>
      await new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))),
      ),
  );
}

function noteInteractions(): void {
  window.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      if (entry.interactionId > 0) window.interactions.push(entry.duration);
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
}

function noteLayoutShifts(): void {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
      window.shifted += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface is merged
  interface Window {
    /** How many milliseconds each event of an interaction took. */
    interactions: number[];
    shifted: number;
  }
}
