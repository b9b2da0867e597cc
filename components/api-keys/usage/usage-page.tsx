'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { useStatisticsWindow } from '#components/shell/chart/use-statistics-window.ts';
import { WindowChoice } from '#components/shell/chart/window-choice.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { FailedCall } from '#lib/contract/api-keys/failed-calls.ts';
import type { Headroom } from '#lib/contract/api-keys/usage.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { ApiKeyFrame } from '../page/api-key-frame.tsx';
import { EndingVerdictText } from '../rotation/ending-verdict.tsx';
import { sumOfCounts } from './call-outcomes.ts';
import { CallsChart, CallsLegend } from './calls-chart.tsx';
import { CallerTable, RefusalTable, RouteTable } from './usage-tables.tsx';

type ApiKeyUsagePageProps = {
  session: Session;
  /** From the URL: uuid or id. */
  reference: string;
  renderedAt: string;
};

/** What a key does: its calls over time, what would fix those that fail, and who calls. */
export function ApiKeyUsagePage({ session, reference, renderedAt }: ApiKeyUsagePageProps) {
  return (
    <ApiKeyFrame session={session} reference={reference} tab="usage" renderedAt={renderedAt}>
      {({ apiKey, actions, isDialogOpen }) => (
        <Usage
          accountId={session.account.id}
          reference={reference}
          apiKey={apiKey}
          mayEdit={actions.mayEdit}
          isDialogOpen={isDialogOpen}
        />
      )}
    </ApiKeyFrame>
  );
}

type EndingTokensProps = Pick<UsageProps, 'accountId' | 'apiKey' | 'isDialogOpen'>;

/** When the old tokens end, and whether they are still used. */
function EndingTokens({ accountId, apiKey, isDialogOpen }: EndingTokensProps) {
  const { data: uses = [] } = useQuery({
    ...routeQuery(accountId, 'listTokenUse', { params: { apiKey: apiKey.uuid } }),
    ...pageRefetchOptions({ isDialogOpen }),
    enabled: apiKey.tokens.length > 1,
  });
  const old = uses.filter(({ verdict }) => verdict !== null);
  if (old.length === 0 || apiKey.tokens.length < 2) return null;
  return (
    <ul aria-label="Old tokens" className="grid gap-3">
      {old.map((use) => (
        <li key={use.id}>
          <EndingVerdictText use={use} />
        </li>
      ))}
    </ul>
  );
}

type UsageProps = {
  accountId: string;
  /** From the URL: uuid or id. */
  reference: string;
  apiKey: ApiKey;
  mayEdit: boolean;
  isDialogOpen: boolean;
};

function Usage({ accountId, reference, apiKey, mayEdit, isDialogOpen }: UsageProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const [window, setWindow] = useStatisticsWindow();
  const read = useQuery({
    ...routeQuery(accountId, 'getApiKeyUsage', {
      params: { apiKey: reference },
      query: { window },
    }),
    ...pageRefetchOptions({ isDialogOpen }),
    placeholderData: keepPreviousData,
  });
  const { data, error, isPlaceholderData } = read;
  const usage = dataIfPermitted(data, error);
  const isEmpty = usage !== undefined && sumOfCounts(usage.totals) === 0;
  const { long } = statisticsWindows[usage?.window ?? window];
  return (
    <>
      <ReadFailure what="The calls" shown="them" noun="API keys" read={read} />
      {usage === undefined && !error && (
        <LinesSkeleton title="Calls" widths={[320, 480, 480, 210]} />
      )}
      <EndingTokens accountId={accountId} apiKey={apiKey} isDialogOpen={isDialogOpen} />
      {(usage || error) && (
        <section aria-label="Calls" className="min-w-0">
          <div className="flex flex-wrap items-center justify-end gap-x-6 gap-y-3">
            {isEmpty && <p className="mr-auto text-ink-2">No calls in the last {long}.</p>}
            {usage && !isEmpty && <CallsLegend totals={usage.totals} />}
            <WindowChoice value={window} onChange={setWindow} />
          </div>
          {usage && !isEmpty && (
            <div
              aria-busy={isPlaceholderData || undefined}
              className={cn('mt-3 transition-opacity', isPlaceholderData && 'opacity-60')}
            >
              <CallsChart key={usage.window} usage={usage} zone={zone} />
            </div>
          )}
        </section>
      )}
      {usage && (
        <>
          <Section title="Headroom">
            <p className="-mt-2 text-small text-ink-3">Calls a minute in the last 24 hours.</p>
            <ul className="grid gap-3">
              <Room name="This key" room={usage.headroom.api_key} />
              <Room name="The account" room={usage.headroom.account} />
            </ul>
          </Section>
          {!isEmpty && (
            <>
              <RefusalTable usage={usage} apiKey={apiKey} mayEdit={mayEdit} zone={zone} />
              <LatestFailures
                accountId={accountId}
                reference={reference}
                isDialogOpen={isDialogOpen}
              />
              <CallerTable usage={usage} />
              <RouteTable usage={usage} />
            </>
          )}
        </>
      )}
    </>
  );
}

/** How much of a rate limit is used: the usual minute as a bar, and the busiest as a tick. */
function Room({ name, room }: { name: string; room: Headroom }) {
  const { limit, busiest, usual, minutes_at_limit: atLimit } = room;
  const share = (calls: number) => `${Math.min(1, calls / limit) * 100}%`;
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <span className="w-27 font-medium">{name}</span>
      <span
        role="meter"
        aria-label={`${name}: usual calls in a minute`}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(limit, usual)}
        className="relative h-1.5 min-w-40 flex-1 rounded-full bg-fill-track max-sm:order-last max-sm:basis-full"
      >
        <span
          data-mark
          className="block h-full rounded-full bg-data-delivered print-color-exact"
          style={{ width: share(usual) }}
        />
        {busiest > 0 && (
          <span
            data-mark
            className={cn(
              'absolute -top-[3px] h-3 w-0.5 -translate-x-1/2 print-color-exact',
              atLimit > 0 ? 'bg-warn-mark' : 'bg-ink',
            )}
            style={{ left: share(busiest) }}
          />
        )}
      </span>
      <span className="basis-88 text-small text-ink-2 max-sm:basis-full">
        <strong className="font-medium text-ink">
          {formatCount(Math.min(busiest, limit))} of {formatCount(limit)}
        </strong>{' '}
        {atLimit > 0 ? `in ${countOf(atLimit, 'minute')}` : 'in the busiest minute'}
        {usual < busiest && `, usually ${formatCount(usual)} at most`}
      </span>
    </li>
  );
}

type LatestFailuresProps = { accountId: string; reference: string; isDialogOpen: boolean };

/** The latest refused and failed calls with their request ids, folded. */
function LatestFailures({ accountId, reference, isDialogOpen }: LatestFailuresProps) {
  const { data: calls = [] } = useQuery({
    ...routeQuery(accountId, 'listFailedCalls', { params: { apiKey: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  if (calls.length === 0) return null;
  return (
    <details className="-mt-6 text-small">
      <summary className="w-fit cursor-default text-ink-2">Latest calls with their IDs</summary>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {calls.map((call) => (
          <FailedCallItem key={`${call.at} ${call.request_id}`} call={call} />
        ))}
      </ul>
    </details>
  );
}

function FailedCallItem({ call }: { call: FailedCall }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2">
      <RelativeTime value={call.at} />
      <Code className="wrap-anywhere">
        {call.status} {call.method} {call.path ?? '(no such path)'}
      </Code>
      <Code>{call.address}</Code>
      <span className="text-ink-3">
        Request <Code className="wrap-anywhere">{call.request_id}</Code>
      </span>
    </li>
  );
}
