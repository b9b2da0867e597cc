import type { ReactNode } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { formatRemaining } from '#lib/time.ts';

export function InstallationFacts({ status }: { status: InstallationStatus }) {
  const { database, last_backup_at: backup, restored_backup_at: restored, repairs } = status;
  return (
    <dl className="border-t border-line">
      <Fact label="Database">
        {database.engine === 'embedded' ? 'Embedded PostgreSQL' : 'PostgreSQL'} {database.version},{' '}
        {formatBytes(database.size_bytes)}
        <Aside>
          {database.connections === null
            ? 'used by this process alone'
            : `${formatCount(database.connections.service)} connections of the service; ${formatCount(database.connections.all)} of ${formatCount(database.connections.max)} in all`}
        </Aside>
      </Fact>
      <Fact label="Last backup">
        {backup === null ? (
          <>
            None was made with <Code isSmall>npm run admin -- backup</Code>
          </>
        ) : (
          <>
            <ExactTime value={backup} />
            <Aside>{formatRemaining(new Date(status.as_of), new Date(backup))} ago</Aside>
          </>
        )}
      </Fact>
      {restored !== null && (
        <Fact label="Restored">
          From the backup of <ExactTime value={restored} />
          <Aside>deliveries are on hold</Aside>
        </Fact>
      )}
      <Fact label="Emails">
        <Emails {...status.emails} />
      </Fact>
      <Fact label="Repairs">
        {repairs.length === 0
          ? 'None in the last 30 days'
          : repairs.map((repair) => <Repair key={`${repair.at} ${repair.kind}`} {...repair} />)}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 border-b border-line py-2.5 max-narrow:grid-cols-[minmax(0,1fr)]">
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="ml-3 text-ink-3">{children}</span>;
}

function Emails({ waiting, waiting_since: since, undeliverable }: InstallationStatus['emails']) {
  return (
    <>
      {since === null ? (
        'None stuck'
      ) : (
        <span className="text-warn">
          {formatCount(waiting)} stuck since <ExactTime form="short" value={since} />
        </span>
      )}
      <Aside>
        {undeliverable === 0
          ? 'none undeliverable'
          : `${formatCount(undeliverable)} undeliverable; the support desk lists them`}
      </Aside>
    </>
  );
}

type RepairProps = InstallationStatus['repairs'][number];

/** What a worker put right after a process had died. */
function Repair({ at, kind, webhooks, deliveries }: RepairProps) {
  return (
    <span className="block">
      <ExactTime form="short" value={at} />:{' '}
      {kind === 'missed_wake_up'
        ? `${countOf(deliveries ?? 0, 'delivery', 'deliveries')} that no worker was told of`
        : `${countOf(webhooks, 'webhook')} whose worker went silent`}
      <Aside>{kind === 'missed_wake_up' ? 'queued again' : 'taken over by another worker'}</Aside>
    </span>
  );
}
