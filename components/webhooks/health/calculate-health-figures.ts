import type { FigureProps } from '#components/ui/data-display/figure.tsx';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { formatMilliseconds } from '#lib/time.ts';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';

type HealthFiguresInput = Pick<
  WebhookStatistics,
  'window' | 'delivered' | 'failed' | 'response_p50_ms' | 'response_p95_ms' | 'previous'
> & { deliveries: Pick<WebhookStatistics['deliveries'], 'delivered' | 'failed' | 'retrying'> };

/**
 * The success rates of deliveries and of attempts, and the response times of a webhook. A delivery
 * that waits for a retry counts as not delivered: otherwise a server that is down would look well
 * until the first delivery is given up.
 */
export function calculateHealthFigures(statistics: HealthFiguresInput): FigureProps[] {
  const { window, delivered, failed, deliveries, previous } = statistics;
  const { long, short, before } = statisticsWindows[window];
  const attempts = delivered + failed;
  const tried = deliveries.delivered + deliveries.failed + deliveries.retrying;
  const time = (label: string, percentile: 'p50' | 'p95'): FigureProps => {
    const field = `response_${percentile}_ms` as const;
    const earlier = responseTime(previous && previous[field]);
    return {
      label,
      value: responseTime(statistics[field]),
      note: earlier === null ? `${percentile} over ${long}` : `${earlier} ${before}`,
    };
  };
  return [
    {
      label: `Success of deliveries, ${short}`,
      value: successRate(deliveries.delivered, tried),
      note:
        tried === 0
          ? 'No deliveries'
          : [
              `${formatCount(deliveries.delivered)} of ${countOf(tried, 'delivery', 'deliveries')}`,
              deliveries.retrying > 0 && `${formatCount(deliveries.retrying)} retrying`,
            ]
              .filter((part) => part !== false)
              .join(', '),
    },
    {
      label: `Success of attempts, ${short}`,
      value: successRate(delivered, attempts),
      note:
        attempts === 0
          ? 'No attempts'
          : `${formatCount(delivered)} of ${countOf(attempts, 'attempt')}`,
    },
    time('Median response time', 'p50'),
    time('95th percentile', 'p95'),
  ];
}

/** Rounded to a tenth, but 100 only if all succeeded and 0 only if none did. */
function successRate(succeeded: number, all: number): string | null {
  if (all === 0) return null;
  if (succeeded === all) return '100 %';
  if (succeeded === 0) return '0 %';
  const tenths = Math.round((succeeded / all) * 1000);
  return `${(Math.min(999, Math.max(1, tenths)) / 10).toFixed(1)} %`;
}

function responseTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatMilliseconds(milliseconds);
}
