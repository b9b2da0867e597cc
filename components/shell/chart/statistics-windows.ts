import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';

/** The labels of the windows, shortest first. `before`: the same span of time before. */
export const statisticsWindows: Record<
  StatisticsWindow,
  { short: string; long: string; before: string }
> = {
  '24h': { short: '24 h', long: '24 hours', before: 'the day before' },
  '7d': { short: '7 d', long: '7 days', before: 'the week before' },
  '30d': { short: '30 d', long: '30 days', before: 'the 30 days before' },
};

export const windowChoices = ['24h', '7d', '30d'] as const satisfies readonly StatisticsWindow[];
