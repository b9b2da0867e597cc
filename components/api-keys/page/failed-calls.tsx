'use client';

import { useQuery } from '@tanstack/react-query';

import { Section } from '#components/shell/page/section.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type {
  CallFailure,
  FailedCall,
  FailedCallsOfKey,
} from '#lib/contract/api-keys/failed-calls.ts';
import { formatCount } from '#lib/count.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type FailedCallsProps = {
  accountId: string;
  /** From the URL: uuid or id. */
  reference: string;
  isDialogOpen: boolean;
};

/**
 * Why calls of a key were refused or failed: how often in 24 hours, from where, and the latest of
 * them. Nothing for a key without such calls.
 */
export function FailedCalls({ accountId, reference, isDialogOpen }: FailedCallsProps) {
  const { data } = useQuery({
    ...routeQuery(accountId, 'listFailedCalls', { params: { apiKey: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  if (data === undefined || data.latest.length === 0) return null;
  return (
    <Section title="Refused and failed calls">
      {data.reasons.length === 0 ? (
        <p className="text-ink-2">None in the last 24 hours.</p>
      ) : (
        <ul className="divide-y divide-line rounded-3 border border-line-strong">
          {data.reasons.map((each) => (
            <Reason key={each.reason} {...each} />
          ))}
        </ul>
      )}
      <details className="text-small">
        <summary className="w-fit cursor-default text-ink-2">Latest calls</summary>
        <ul className="mt-2 divide-y divide-line border-y border-line">
          {data.latest.map((call) => (
            <Call key={`${call.at} ${call.request_id}`} call={call} />
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Reason({
  reason,
  calls,
  by_hour: byHour,
  last_at: lastAt,
  last_address: address,
}: FailedCallsOfKey['reasons'][number]) {
  return (
    <li className="px-4 py-3 max-sm:px-3.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          {reasonLabels[reason]} <span className="text-ink-3">({reasonStatuses[reason]})</span>
        </span>
        <span className="text-small text-ink-2">{formatCount(calls)} in 24 hours</span>
      </p>
      <p className="text-small text-ink-3">
        Last: <RelativeTime isMidSentence value={lastAt} /> from{' '}
        <span translate="no" className="code">
          {address}
        </span>
      </p>
      <details className="mt-1 text-small text-ink-3">
        <summary className="w-fit cursor-default">By hour</summary>
        <ul className="mt-1">
          {byHour.map(({ hour, calls: inHour }) => (
            <li key={hour}>
              <ExactTime form="short" value={hour} />: {formatCount(inHour)}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

function Call({ call }: { call: FailedCall }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2">
      <RelativeTime value={call.at} />
      <span translate="no" className="code wrap-anywhere">
        {call.status} {call.method} {call.path ?? '(no such path)'}
      </span>
      <span translate="no" className="code">
        {call.address}
      </span>
      <span className="text-ink-3">
        Request{' '}
        <span translate="no" className="code wrap-anywhere">
          {call.request_id}
        </span>
      </span>
    </li>
  );
}

const reasonLabels: Record<CallFailure, string> = {
  token_ended: 'The token has ended',
  network: 'From an address outside the networks of the key',
  not_allowed: 'Not allowed for this key',
  rate_limit: 'Over a rate limit',
  invalid: 'An error in the request',
  failed: 'Failed in the service',
};

const reasonStatuses: Record<CallFailure, string> = {
  token_ended: '401',
  network: '403',
  not_allowed: '403',
  rate_limit: '429',
  invalid: '4xx',
  failed: '5xx',
};
