import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { FigureRow } from '#components/ui/data-display/figure-row.tsx';
import { Figure } from '#components/ui/data-display/figure.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhooks.ts';
import { calculateHealthFigures } from './calculate-health-figures.ts';
import { barParts, isSeries, partStyles, series } from './chart/bar-parts.ts';
import { countParts } from './chart/chart-buckets.ts';
import { CountedDeliveriesLink } from './chart/counted-deliveries-link.tsx';
import { DeliveriesChart } from './chart/deliveries-chart.tsx';
import { DeliveriesTable } from './chart/deliveries-table.tsx';
import { ColorMark } from '#components/shell/chart/color-mark.tsx';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { HealthSkeleton } from './health-skeleton.tsx';
import { useStatisticsWindow } from '#components/shell/chart/use-statistics-window.ts';
import { WindowChoice } from '#components/shell/chart/window-choice.tsx';

type HealthProps = {
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** The health of a webhook: success rates, response times, and a chart of deliveries. */
export function Health({ accountId, reference }: HealthProps) {
  const titleId = useId();
  const zone = useNow() === null ? 'UTC' : undefined;
  const [window, setWindow] = useStatisticsWindow();
  const read = useQuery({
    ...webhookStatisticsQuery(accountId, reference, window),
    placeholderData: keepPreviousData,
    refetchInterval: pageRefetchInterval,
  });
  const { data, error, isPlaceholderData } = read;
  const isEmpty = data !== undefined && data.delivered + data.failed + data.deliveries.total === 0;
  const waiting = {
    'aria-busy': isPlaceholderData || undefined,
    className: cn('transition-opacity', isPlaceholderData && 'opacity-60'),
  };

  return (
    <section aria-labelledby={titleId} className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <h2 id={titleId} className="sr-only">
        Health
      </h2>
      <ReadFailure what="The figures" shown="them" noun="webhooks" read={read} />
      {data === undefined && !error && <HealthSkeleton />}
      {data && (
        <div {...waiting}>
          <FigureRow>
            {calculateHealthFigures(data).map((figure) => (
              <Figure key={figure.label} {...figure} />
            ))}
          </FigureRow>
        </div>
      )}
      {(data || error) && (
        <div className="mt-7 flex flex-wrap items-center justify-end gap-x-6 gap-y-3">
          {data && isEmpty && (
            <p {...waiting} className={cn(waiting.className, 'mr-auto text-ink-2')}>
              Nothing was sent in the last {statisticsWindows[data.window].long}.
            </p>
          )}
          {data && !isEmpty && <DeliveriesLegend statistics={data} reference={reference} />}
          <WindowChoice value={window} onChange={setWindow} />
        </div>
      )}
      {data && !isEmpty && (
        <div {...waiting} className={cn(waiting.className, 'mt-3')}>
          <DeliveriesChart key={data.window} statistics={data} reference={reference} zone={zone} />
          <DeliveriesTable statistics={data} reference={reference} zone={zone} />
          {data.responses.length > 0 && <LazyResponseTable shouldLoad statistics={data} />}
        </div>
      )}
    </section>
  );
}

const LazyResponseTable = lazyComponent(
  async () => (await import('./responses/response-table.tsx')).ResponseTable,
);

type DeliveriesLegendProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** The colors of the chart and the number of deliveries of each, which leads to them. */
function DeliveriesLegend({ statistics, reference }: DeliveriesLegendProps) {
  const counts = countParts(statistics.deliveries);
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {series.map((one) => (
        <li key={one}>
          <CountedDeliveriesLink
            reference={reference}
            counted={{ status: one, from: new Date(statistics.since), to: null }}
            className="group flex min-h-6 cursor-default text-ink-2 no-underline items-center gap-[7px] rounded-1 pointer-coarse:min-h-11"
          >
            <ColorMark color={partStyles[one].color} />
            {partStyles[one].label}{' '}
            <span className="font-medium text-ink group-hover:underline">
              {formatCount(counts[one])}
            </span>
          </CountedDeliveriesLink>
        </li>
      ))}
      {barParts
        .filter((part) => !isSeries(part) && counts[part] > 0)
        .map((part) => (
          <li key={part} className="flex min-h-6 items-center gap-[7px] pointer-coarse:min-h-11">
            <ColorMark color={partStyles[part].color} />
            {partStyles[part].label}{' '}
            <span className="font-medium text-ink">{formatCount(counts[part])}</span>
          </li>
        ))}
    </ul>
  );
}
