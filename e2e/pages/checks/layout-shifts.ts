import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** A shift that people hardly notice; Web Vitals call up to 0.1 good. */
const maxShift = 0.02;

/** From now on each page records its layout shifts. */
export async function watchLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { layoutShifts: shifts, layoutShift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        // Shifts after a press count as well: a page that follows must not move either.
        window.layoutShift += entry.value;
        const moved = entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120));
        shifts.push(`${entry.value.toFixed(4)}: ${moved.join(' ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Expects that nothing in the page has shifted since it was loaded, or since the last call. */
export async function expectNoLayoutShift(page: Page, what: string): Promise<void> {
  const { shift, shifts } = await page.evaluate(() => {
    const seen = { shift: window.layoutShift, shifts: window.layoutShifts.splice(0) };
    window.layoutShift = 0;
    return seen;
  });
  expect.soft(shift, `${what}: ${shifts.join('\n')}`).toBeLessThan(maxShift);
}

type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface is merged
  interface Window {
    layoutShift: number;
    layoutShifts: string[];
  }
}
