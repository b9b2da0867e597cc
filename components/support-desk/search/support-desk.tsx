'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type {
  DeskResults,
  FoundToken,
  SupportDesk as Desk,
} from '#lib/contract/support-desk/support-desk.ts';
import { countOf } from '#lib/count.ts';
import { deskRequestsPath } from '#lib/paths/account-path.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { NeedsAttention } from '../attention/needs-attention.tsx';
import { DeskReadFailure } from '../desk-read-failure.tsx';
import { DeskSessionEnded } from '../desk-session-ended.tsx';
import { DeskRequestTable } from '../requests/desk-request-table.tsx';
import { DeskResultList } from '../results/desk-result-list.tsx';
import { FoundTokenBanner, FoundTokenKey } from '../results/found-token-result.tsx';
import { DeskSearchBox, type RefusedText } from './desk-search-box.tsx';
import type { SearchedAccount } from './kept-search.ts';
import { type DeskOutcome, useDeskSearch } from './use-desk-search.ts';

/** One box that finds accounts, keys, webhooks, deliveries and people in all of them. */
export function SupportDesk({ desk }: { desk: Desk }) {
  const { outcome, failure, deadline, secondsLeft, within, ...search } = useDeskSearch(
    desk.person.id,
  );
  const disabledReason = rateLimitReason(secondsLeft);
  return (
    <>
      <PageHeading
        title="Support desk"
        sentence={`Find a key, webhook, delivery, person or account in ${accountsOf(desk)} you can open. The last four characters of a token are enough to find its key.`}
      />
      <DeskSearchBox
        isBusy={outcome?.kind === 'searching'}
        hasOutcome={outcome !== null || failure !== null}
        disabledReason={disabledReason}
        within={within}
        onSearch={(text) => void search.searchFor(text)}
        onSearchAll={search.searchAll}
        onToken={(token) => void search.lookUp(token)}
        onRefused={search.refuse}
        onCleared={search.clear}
        onEmptyAtFirst={search.takeUp}
      />
      {within && (
        <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2">
          <span className="wrap-anywhere">
            Only in <span className="font-medium text-ink">{within.name}</span>
          </span>
          <Button size="small" icon={<X />} onClick={() => search.searchIn(null)}>
            Search all accounts
          </Button>
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap justify-between gap-x-6 gap-y-1 text-small text-ink-3">
        <div className="min-w-0 wrap-anywhere">
          <p role="status">{outcome && summaryOf(outcome, within)}</p>
          {outcome?.kind === 'token' && <p>{summaryOfToken(outcome.found)}</p>}
        </div>
        <p>
          Every search is recorded, also in the audit log of each account whose keys, webhooks,
          deliveries or people it shows.
        </p>
      </div>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        <RateLimitNotice deadline={deadline}>
          60 searches a minute are allowed per person.
        </RateLimitNotice>
        {failure && <Failure failure={failure} />}
        {/* Here from the start, so that screen readers announce what appears in it. */}
        <div role="status" className="contents">
          {outcome?.kind === 'refused' && <Refusal why={outcome.why} />}
          {outcome?.kind === 'token' && (
            <FoundTokenBanner
              found={outcome.found}
              isReported={outcome.isReported}
              onReport={() => void search.reportLeak()}
            />
          )}
        </div>
        {outcome?.kind === 'results' && (
          <DeskResultList
            {...outcome}
            disabledReason={disabledReason}
            onShowMore={(of) => void search.showMore(of)}
            onNarrow={within === null ? search.searchIn : null}
          />
        )}
        {outcome?.kind === 'token' && outcome.found.key && (
          <FoundTokenKey found={outcome.found.key} />
        )}
      </div>
      {outcome === null && failure === null && (
        <div className="mt-2">
          <NeedsAttention personId={desk.person.id} />
        </div>
      )}
      <div className="mt-10 empty:hidden">
        <NewestRequests personId={desk.person.id} />
      </div>
    </>
  );
}

function accountsOf({ account_count: count }: Desk): string {
  return count === 1 ? 'the one account' : `the ${countOf(count, 'account')}`;
}

function Failure({ failure }: { failure: ActionFailure }) {
  if (failure.code === 'UNAUTHORIZED') return <DeskSessionEnded />;
  return (
    <ActionFailurePanel
      failure={failure}
      notDone="The search failed"
      unknown="The results were lost"
      adviceIfUnknown="Searching again is safe."
    />
  );
}

function Refusal({ why }: { why: RefusedText | 'insecure-page' }) {
  return (
    <Banner role="none" tone="warn" title={refusals[why].title}>
      {refusals[why].advice}
    </Banner>
  );
}

const refusals: Record<RefusedText | 'insecure-page', { title: string; advice: string }> = {
  'signing-secret': {
    title: 'You cannot search for a signing secret',
    advice:
      'It was removed from the box and not sent. The service stores secrets encrypted, so it cannot find a webhook by one. Search for the webhook’s name or URL. As the secret was pasted into a page, treat it as leaked: regenerate it.',
  },
  'part-of-token': {
    title: 'This is part of a token',
    advice:
      'It was removed from the box and not sent. Paste the whole token, or search for its last four characters, such as …a1b2. As it was pasted into a page, treat the token as leaked.',
  },
  'insecure-page': {
    title: 'This token cannot be checked on this connection',
    advice:
      'It was removed from the box and not sent. This page was not opened with HTTPS, and without that the browser cannot compute the digest that would be sent in its place. Search for the last four characters, such as …a1b2. As the token was pasted into a page, treat it as leaked.',
  },
};

function summaryOf(outcome: DeskOutcome, within: SearchedAccount | null): string {
  const where = within === null ? '' : ` in ${within.name}`;
  switch (outcome.kind) {
    case 'returned':
      return `You searched for “${outcome.search}”${where}. Press Search to see the results again.`;
    case 'searching':
      return outcome.search === null
        ? 'Searching for the token…'
        : `Searching for “${outcome.search}”${where}…`;
    // A banner announces these.
    case 'refused':
    case 'token':
      return '';
    case 'results':
      return `${countOfResults(outcome.results, within)} for “${outcome.search}”${where}`;
  }
}

function summaryOfToken({ key }: FoundToken): string {
  return key === null ? 'No key matches the token' : '1 key matches the whole token';
}

/** "2 results in 1 account", or "More than 21 results" */
function countOfResults(results: DeskResults, within: SearchedAccount | null): string {
  const groups = Object.values(results);
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  const hasMore = groups.some((group) => group.has_more);
  if (total === 0) return 'No results';
  const { accounts, ...inAccounts } = results;
  const found = Object.values(inAccounts).flatMap(({ items }) => items.map((item) => item.account));
  const ids = new Set([...found, ...accounts.items].map(({ id }) => id));
  // Of each kind, only the first results are known, and so only some of the accounts.
  if (hasMore) return `More than ${countOf(total, 'result')}`;
  if (within !== null) return countOf(total, 'result');
  return `${countOf(total, 'result')} in ${countOf(ids.size, 'account')}`;
}

const maxShown = 4;

/** The newest requests of the person, below the search; nothing if they made none. */
function NewestRequests({ personId }: { personId: string }) {
  const read = useInfiniteQuery({
    ...deskRequestsQuery(personId, null),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  const requests = data?.pages[0]?.data;
  if (!error && (requests === undefined || requests.length === 0)) return null;
  return (
    <Section
      title="My requests"
      action={
        <ButtonLink size="small" href={deskRequestsPath}>
          All requests
        </ButtonLink>
      }
    >
      <DeskReadFailure read={read} />
      {requests && (
        <DeskRequestTable caption="My newest requests" requests={requests.slice(0, maxShown)} />
      )}
    </Section>
  );
}
