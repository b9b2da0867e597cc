'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhooks.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { DeliveriesChart } from './chart/deliveries-chart.tsx';
import { DeliveriesLegend } from './chart/deliveries-legend.tsx';
import { DeliveriesTable } from './chart/deliveries-table.tsx';
import { HealthFigures } from './health-figures.tsx';
import { calculateHealthFigures } from './calculate-health-figures.ts';
import { HealthSkeleton } from './health-skeleton.tsx';
import { statisticsWindows, windowChoices } from './chart/statistics-windows.ts';
import { useStatisticsWindow } from './use-statistics-window.ts';

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
  const { data, error, isPlaceholderData, ...reading } = useQuery({
    ...webhookStatisticsQuery(accountId, reference, window),
    placeholderData: keepPreviousData,
    refetchInterval: pageRefetchInterval,
  });
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
      {error && (
        <ReadFailure
          what="The figures"
          shown="them"
          noun="webhooks"
          error={error}
          isShown={data !== undefined}
          reading={reading}
        />
      )}
      {data === undefined && !error && <HealthSkeleton />}
      {data && (
        <div {...waiting}>
          <HealthFigures figures={calculateHealthFigures(data)} />
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
          <Segmented
            legend="Window"
            isLegendHidden
            fit
            className="max-sm:w-full"
            segments={windowChoices.map((value) => ({
              value,
              label: statisticsWindows[value].short,
            }))}
            value={window}
            onChange={setWindow}
          />
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
