import type { Page } from '@playwright/test';
import type { Figure } from './figures.ts';
import { medianOf } from './figures.ts';
import type { MeasuredDashboard } from './measured-dashboard.ts';

const maxContentMs = 150;
const visits = 3;

/** How long after a press the skeleton and the content appear, on the first visit to each page. */
export async function measureFollowedLinks(dashboard: MeasuredDashboard): Promise<Figure[]> {
  const links = ['Webhooks', 'Team', 'Audit log', 'Account', 'Create key', dashboard.apiKey.name];
  const seen = new Map(links.map((link) => [link, [] as Seen[]]));
  for (let visit = 0; visit < visits; visit += 1) {
    for (const [link, times] of seen) {
      // A new context, so that nothing is cached from the visit before.
      const context = await dashboard.newContext();
      const page = await context.newPage();
      await page.goto(dashboard.address('api-keys'));
      await page.waitForLoadState('networkidle');
      times.push(await follow(page, link));
      await context.close();
    }
  }
  return [...seen].flatMap(([link, times]): Figure[] => [
    {
      what: `${link}: skeleton`,
      value: medianOf(times.map(({ skeleton }) => skeleton)),
      max: 1,
      unit: 'frames',
    },
    {
      what: `${link}: content`,
      value: medianOf(times.map(({ content }) => content)),
      max: maxContentMs,
      unit: 'ms',
    },
  ]);
}

/** After how many frames the skeleton appears, and after how many milliseconds the content. */
type Seen = { skeleton: number; content: number };

async function follow(page: Page, name: string): Promise<Seen> {
  const link = page.getByRole('link', { name, exact: true }).first();
  return await link.evaluate(
    async (pressed) =>
      await new Promise<Seen>((resolve) => {
        const began = performance.now();
        const address = location.href;
        let frames = 0;
        let skeleton: number | null = null;
        const look = () => {
          frames += 1;
          const isSkeleton = document.querySelector('main [aria-busy] h1') !== null;
          if (isSkeleton) skeleton ??= frames;
          const isOpen = location.href !== address && !isSkeleton;
          if (isOpen) resolve({ skeleton: skeleton ?? frames, content: performance.now() - began });
          else requestAnimationFrame(look);
        };
        (pressed as HTMLElement).click();
        requestAnimationFrame(look);
      }),
  );
}
