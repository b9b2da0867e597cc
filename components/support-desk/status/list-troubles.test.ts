import { expect, test } from 'vitest';
import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { listTroubles } from './list-troubles.ts';

type Process = InstallationStatus['processes'][number];

const at = (time: string) => `2026-11-24T${time}.000+00:00`;

const process = (over: Partial<Process> = {}): Process => ({
  id: 'a',
  host: 'alpha',
  pid: 18_421,
  roles: ['api', 'worker', 'web'],
  version: '1.8.2',
  memory_bytes: 224_395_264,
  started_at: at('08:00:00'),
  seen_at: at('12:27:50'),
  is_silent: false,
  ...over,
});

const well: InstallationStatus = {
  as_of: at('12:28:00'),
  version: '1.8.2',
  processes: [process()],
  backlog: { due_webhooks: 12, oldest_due_seconds: 1.4, failing_webhooks: 3, held_deliveries: 40 },
  failing_accounts: { total: 0, items: [] },
  database: { engine: 'embedded', version: '18.0', size_bytes: 1, connections: null },
  last_backup_at: at('02:00:00'),
  restored_backup_at: null,
  emails: { waiting: 0, waiting_since: null, next_attempt_at: null, undeliverable: 2 },
  repairs: [{ at: at('03:12:00'), kind: 'missed_wake_up', webhooks: 1, deliveries: 4 }],
};

const titles = (over: Partial<InstallationStatus>) =>
  listTroubles({ ...well, ...over }, 'UTC').map(({ tone, title }) => `${tone}: ${title}`);

const silent = { is_silent: true, seen_at: at('12:24:00') };
const backlog = { ...well.backlog, oldest_due_seconds: 364 };

test.each<[what: string, over: Partial<InstallationStatus>, troubles: string[]]>([
  ['failing webhooks and repairs are none', {}, []],
  [
    'a process that fell silent',
    { processes: [process(), process({ id: 'b', host: 'beta', pid: 7, ...silent })] },
    ['bad: beta, process 7, has been silent for 4 min'],
  ],
  ['no worker', { processes: [process({ roles: ['api', 'web'] })] }, ['bad: No worker runs']],
  ['late deliveries', { backlog }, ['bad: Deliveries have been due for 6 min']],
  [
    'deliveries on hold, and not that they are late',
    { backlog, restored_backup_at: at('02:00:00') },
    ['warn: Deliveries are on hold since a backup was restored'],
  ],
  [
    'versions of live processes that differ',
    {
      processes: [
        process(),
        process({ id: 'b', version: '1.8.1' }),
        process({ id: 'c', version: '1.7.0', ...silent }),
      ],
    },
    ['bad: alpha, process 18421, has been silent for 4 min', 'warn: Processes run 2 versions'],
  ],
  [
    'an old backup',
    { last_backup_at: '2026-11-21T12:28:00.000+00:00' },
    ['warn: The last backup is 3 days old'],
  ],
  ['no backup, as PostgreSQL may be backed up otherwise', { last_backup_at: null }, []],
  [
    'stuck emails',
    {
      emails: {
        ...well.emails,
        waiting: 1,
        waiting_since: at('11:40:00'),
        next_attempt_at: at('12:40:00'),
      },
    },
    ['warn: 1 email is stuck'],
  ],
])('troubles: %s', (_what, over, troubles) => {
  expect(titles(over)).toEqual(troubles);
});

test('a silent worker is said to be replaced only if another worker runs', () => {
  const [replaced] = listTroubles(
    { ...well, processes: [process(), process({ id: 'b', ...silent })] },
    'UTC',
  );
  expect(replaced?.advice).toMatch(/^Other workers have taken over its webhooks/);
  const [last] = listTroubles({ ...well, processes: [process(silent)] }, 'UTC');
  expect(last?.advice).toMatch(/^No other worker runs/);
});
