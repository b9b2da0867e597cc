import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';

/** The labels of the windows, shortest first. */
export const statisticsWindows: Record<StatisticsWindow, { short: string; long: string }> = {
  '24h': { short: '24 h', long: '24 hours' },
  '7d': { short: '7 d', long: '7 days' },
  '30d': { short: '30 d', long: '30 days' },
};

export const windowChoices = ['24h', '7d', '30d'] as const satisfies readonly StatisticsWindow[];
