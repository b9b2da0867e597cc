import { Code } from '#components/ui/data-display/code.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type {
  InstallationStatus,
  ProcessRole,
} from '#lib/contract/support-desk/installation-status.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { processColumns } from './process-columns.tsx';

type Process = InstallationStatus['processes'][number];

type ProcessTableProps = {
  processes: readonly Process[];
  /** Of the process that responded: others are marked. */
  version: string;
};

export function ProcessTable({ processes, version }: ProcessTableProps) {
  return (
    <div>
      <DataTable
        caption="Processes by machine"
        columns={processColumns}
        cells={cells}
        rows={processes}
        context={version}
        rowProps={({ id }) => ({ key: id })}
      />
      {!processes.some(({ roles }) => roles.includes('web')) && (
        <p className="mt-3 text-small text-ink-3">
          A process that only serves pages does not use the database, so it is not listed.
        </p>
      )}
    </div>
  );
}

const roleLabels: Record<ProcessRole, string> = { api: 'API', worker: 'Deliveries', web: 'Pages' };

const cells: Cells<typeof processColumns, Process, string> = {
  process: ({ host, pid, roles }) => (
    <>
      <RowName>
        <span title={host}>
          <Code>{host}</Code>
        </span>
      </RowName>
      <SecondLine>
        PID {pid}
        <span className="sm:hidden">, {rolesOf(roles)}</span>
      </SecondLine>
    </>
  ),
  roles: ({ roles }) => rolesOf(roles),
  version: (process, version) => (
    <span className={process.version === version ? undefined : 'text-warn'}>{process.version}</span>
  ),
  started: ({ started_at: at }) => <ExactTime form="short" value={at} />,
  memory: ({ memory_bytes: bytes }) => formatBytes(bytes),
  seen: ({ seen_at: at, is_silent: isSilent }) => (
    <Status mark={isSilent ? 'stopped' : 'ok'}>
      <RelativeTime value={at} />
      {isSilent && <span className="sr-only">, silent</span>}
    </Status>
  ),
};

function rolesOf(roles: readonly ProcessRole[]): string {
  return roles.map((role) => roleLabels[role]).join(', ');
}
