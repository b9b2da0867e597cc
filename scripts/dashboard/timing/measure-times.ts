import { measureApiBesidePages } from './api-beside-pages.ts';
import { printFigures } from './figures.ts';
import { measureFollowedLinks } from './followed-links.ts';
import { measureInteractions, measureLayoutShift } from './interactions.ts';
import { openMeasuredDashboard } from './measured-dashboard.ts';
import { measureServerTime } from './server-time.ts';

/** Measures and prints all times of the dashboard; returns whether all are fast enough. */
export async function measureTimes(): Promise<boolean> {
  const dashboard = await openMeasuredDashboard();
  try {
    const verdicts: boolean[] = [];
    for (const [heading, measure] of [
      ['Time in the service for a page, median', measureServerTime],
      ['Followed link, first visit, median', measureFollowedLinks],
      ['Interaction to next paint at a quarter of the speed, median', measureInteractions],
      ['Cumulative layout shift', measureLayoutShift],
      ['The API beside the dashboard, median of three', measureApiBesidePages],
    ] as const) {
      verdicts.push(printFigures(heading, await measure(dashboard)));
    }
    return verdicts.every(Boolean);
  } finally {
    await dashboard.close();
  }
}
