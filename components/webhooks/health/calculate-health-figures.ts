import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import {
  formatClock,
  formatDay,
  formatMilliseconds,
  formatRelative,
  formatRemaining,
  formatShort,
} from '#lib/time.ts';

import { isFailing } from '../webhook-conditions.ts';
import { statisticsWindows } from './statistics-windows.ts';

export type HealthFigure = {
  label: string;
  /** Number and unit, with a space between; null if there is nothing to count. */
  value: string | null;
  note: string;
  isWarning?: boolean;
};

type HealthFiguresInput = {
  statistics: Pick<WebhookStatistics, 'window' | 'delivered' | 'failed' | 'p50_ms' | 'p95_ms'>;
  webhook: Webhook;
  now: Date;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The success rate, response times and current state of a webhook. */
export function calculateHealthFigures({
  statistics,
  ...context
}: HealthFiguresInput): HealthFigure[] {
  const { window, delivered, failed, p50_ms: p50, p95_ms: p95 } = statistics;
  const { long } = statisticsWindows[window];
  const all = delivered + failed;
  return [
    {
      label: `Success rate, ${long}`,
      value: all === 0 ? null : `${successPercent(delivered, all)} %`,
      note: all === 0 ? 'No attempts' : `${delivered.toLocaleString('en-GB')} of ${attempts(all)}`,
    },
    { label: 'Median answer', value: answerTime(p50), note: `p50 over ${long}` },
    { label: 'Slowest 5 %', value: answerTime(p95), note: `p95 over ${long}` },
    latestFigure(context),
  ];
}

/** Rounded to a tenth, but 100 only if all succeeded and 0 only if none did. */
function successPercent(delivered: number, all: number): string {
  if (delivered === all) return '100';
  if (delivered === 0) return '0';
  const tenths = Math.round((delivered / all) * 1000);
  return (Math.min(999, Math.max(1, tenths)) / 10).toFixed(1);
}

function answerTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatMilliseconds(milliseconds);
}

/** Since when the webhook has been failing; otherwise its last attempt. */
function latestFigure({
  webhook,
  now,
  zone,
}: Omit<HealthFiguresInput, 'statistics'>): HealthFigure {
  const { failing_since: since, failure_count: failures, last_triggered_at: last } = webhook;
  if (isFailing(webhook, now)) {
    if (since === null) {
      return {
        label: 'Failed in a row',
        value: failures.toLocaleString('en-GB'),
        note: 'attempts since the last success',
        isWarning: true,
      };
    }
    const began = new Date(since);
    return {
      label: 'Failing for',
      value: formatRemaining(now, began),
      note: `${pluralize(failures, 'failure')} since ${formatMoment(began, now, zone)}`,
      isWarning: true,
    };
  }
  if (last === null) return { label: 'Last attempt', value: null, note: 'None so far' };
  const at = new Date(last);
  // New data can be newer than `now`, which is updated once a minute.
  const present = new Date(Math.max(now.getTime(), at.getTime()));
  return {
    label: 'Last attempt',
    value: formatRelative(at, present, zone),
    note: formatMoment(at, present, zone),
  };
}

/** The time without the date if it was today. */
function formatMoment(at: Date, now: Date, zone: string | undefined): string {
  const isToday = formatDay(at, zone) === formatDay(now, zone);
  return isToday ? formatClock(at, zone) : formatShort(at, zone);
}

function attempts(number: number): string {
  return pluralize(number, 'attempt');
}

function pluralize(number: number, word: string): string {
  return `${number.toLocaleString('en-GB')} ${word}${number === 1 ? '' : 's'}`;
}
