'use client';

import { useQuery } from '@tanstack/react-query';
import { MailX, OctagonAlert, TriangleAlert } from 'lucide-react';
import { NoPermission } from '#components/shell/page/no-permission.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { FigureRow } from '#components/ui/data-display/figure-row.tsx';
import { Figure } from '#components/ui/data-display/figure.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useIsOffline } from '#components/ui/rendering/use-is-offline.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { maxHeldCount } from '#lib/contract/support-desk/max-held-count.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { DeskReadFailure } from '../desk-read-failure.tsx';
import { FailingAccounts } from './failing-accounts.tsx';
import { InstallationFacts } from './installation-facts.tsx';
import { ageOf, lateFromSeconds, listTroubles, type Trouble } from './list-troubles.ts';
import { ProcessTable } from './process-table.tsx';
import { ProcessTableSkeleton } from './status-skeleton.tsx';

/** How the installation does, for people of installation support. */
export function StatusPage({ personId }: { personId: string }) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const read = useQuery({
    ...routeQuery({ person: { id: personId } }, 'getInstallationStatus'),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  const isOffline = useIsOffline();
  const isRefused = error instanceof ApiError && error.code === 'FORBIDDEN';
  const troubles = data ? listTroubles(data, zone) : [];
  return (
    <>
      <PageHeading
        title="Status"
        sentence={data && <Summary status={data} troubles={troubles} />}
        actions={data && <LastRead at={data.as_of} isLive={error === null && !isOffline} />}
      />
      {isRefused ? (
        <NoPermission
          what="the status"
          who="Only installation support can. Your administrator decides who belongs to it."
        />
      ) : (
        <DeskReadFailure what="The status" shown="it" read={read} />
      )}
      {data === undefined && !error && <ProcessTableSkeleton />}
      {data && !isRefused && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
          {troubles.length > 0 && <Troubles troubles={troubles} />}
          <Backlog status={data} />
          <Section title="Processes">
            <ProcessTable processes={data.processes} version={data.version} />
          </Section>
          <Section title="Most failing accounts">
            <FailingAccounts {...data.failing_accounts} />
          </Section>
          <Section title="Storage, emails and repairs">
            <InstallationFacts status={data} />
          </Section>
        </div>
      )}
    </>
  );
}

type SummaryProps = { status: InstallationStatus; troubles: readonly Trouble[] };

function Summary({ status, troubles }: SummaryProps) {
  const isBad = troubles.some(({ tone }) => tone === 'bad');
  return (
    <span className="flex flex-wrap gap-x-5 gap-y-1">
      <Status mark={troubles.length === 0 ? 'ok' : isBad ? 'stopped' : 'warning'}>
        {troubles.length === 0 ? 'All systems operational' : countOf(troubles.length, 'problem')}
      </Status>
      <span>Version {status.version}</span>
    </span>
  );
}

function LastRead({ at, isLive }: { at: string; isLive: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 text-small text-ink-2">
      <span
        aria-hidden
        className={cn('size-2 rounded-full', isLive ? 'bg-ok-mark' : 'bg-fill-track')}
      />
      <span>
        {isLive ? 'Live' : 'As of'}, <ExactTime form="clock" value={at} />
      </span>
    </span>
  );
}

function Troubles({ troubles }: { troubles: readonly Trouble[] }) {
  return (
    <ul aria-label="Problems" className="border-t border-line">
      {troubles.map(({ kind, tone, title, advice, command }) => (
        <li key={title} className="flex gap-3 border-b border-line py-3">
          <span
            aria-hidden
            className={cn('mt-0.5', tone === 'bad' ? 'text-bad-mark' : 'text-warn-mark')}
          >
            {kind === 'emails' ? <MailX /> : tone === 'bad' ? <OctagonAlert /> : <TriangleAlert />}
          </span>
          <div className="min-w-0 wrap-anywhere">
            <p className="font-medium">{title}</p>
            <p className="text-small text-pretty text-ink-2">
              {advice}{' '}
              {command !== null && (
                <Code isSmall className="whitespace-nowrap">
                  {command}
                </Code>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Backlog({ status }: { status: InstallationStatus }) {
  const { backlog, restored_backup_at: restored, emails } = status;
  const { due_webhooks: due, oldest_due_seconds: oldest, held_deliveries: held } = backlog;
  return (
    <FigureRow>
      <Figure
        label="Webhooks due"
        value={formatCount(due)}
        note={due === 0 ? 'nothing waits' : `oldest for ${ageOf(oldest)}`}
        isWarning={oldest > lateFromSeconds}
      />
      <Figure
        label="Deliveries held"
        value={`${formatCount(held)}${held === maxHeldCount ? '+' : ''}`}
        note={restored === null ? 'of inactive webhooks' : 'until they are resumed'}
        isWarning={restored !== null}
      />
      <Figure
        label="Webhooks failing"
        value={formatCount(backlog.failing_webhooks)}
        note="their last attempt failed"
      />
      <Figure
        label="Emails stuck"
        value={formatCount(emails.waiting)}
        note={`${formatCount(emails.undeliverable)} undeliverable`}
        isWarning={emails.waiting > 0}
      />
    </FigureRow>
  );
}
