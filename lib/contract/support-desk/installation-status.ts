import { z } from 'zod';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { maxHeldCount } from './max-held-count.ts';
import { foundIn } from './support-desk.ts';

/** The parts of the product that a process can run. By default one process runs all three. */
export const processRoles = ['api', 'worker', 'web'] as const;

export type ProcessRole = (typeof processRoles)[number];

/** `silent_worker`: another worker took over the webhooks. `missed_wake_up`: no worker was told. */
const repairKinds = ['silent_worker', 'missed_wake_up'] as const;

export type RepairKind = (typeof repairKinds)[number];

const runningProcess = z.object({
  id: z.string(),
  host: z.string().describe('The name of its machine.'),
  pid: z.int(),
  roles: z.array(z.enum(processRoles)),
  version: z.string(),
  memory_bytes: z.int(),
  started_at: timestamp,
  seen_at: timestamp.describe('Its last sign of life, which it gives every 15 seconds.'),
  is_silent: z
    .boolean()
    .describe('Whether it gave none for a minute: it was killed, or lost the database.'),
});

const failingAccount = z.object({
  account: foundIn,
  webhooks: z.int().describe('How many it has.'),
  failing: z.int().describe('How many of them are active and failing.'),
  deactivated: z.int().describe('How many were deactivated within the retention period.'),
  failed_attempts: z.int().describe('Of the failing ones, since each last succeeded.'),
});

export const installationStatus = z.object({
  as_of: timestamp,
  version: z.string().describe('Of the process that responds.'),
  processes: z
    .array(runningProcess)
    .describe(
      'Those that use the database. A process that stopped cleanly is gone; one that was killed stays for a day, unless another took its place.',
    ),
  backlog: z.object({
    due_webhooks: z.int().describe('Webhooks with deliveries that are due and not begun.'),
    oldest_due_seconds: z.number().describe('How long the first of them has been due.'),
    failing_webhooks: z.int().describe('Webhooks whose last attempt failed.'),
    held_deliveries: z
      .int()
      .describe(
        `Deliveries that wait until their webhook is active again or, after a restore, until deliveries are resumed; counted up to ${maxHeldCount}.`,
      ),
  }),
  failing_accounts: z.object({
    total: z.int().describe('How many there are among the accounts that the person can open.'),
    items: z.array(failingAccount).describe('Those with the most such webhooks, at most 5.'),
  }),
  database: z.object({
    engine: z.enum(['embedded', 'postgresql']),
    version: z.string(),
    size_bytes: z.int(),
    connections: z
      .object({ service: z.int(), all: z.int(), max: z.int() })
      .nullable()
      .describe(
        'Of all processes of the service, of all programs, and as many as the server allows; null for the embedded database.',
      ),
  }),
  last_backup_at: timestamp
    .nullable()
    .describe('When `npm run admin -- backup` last began one that it completed; null: never.'),
  restored_backup_at: timestamp
    .nullable()
    .describe('When the backup was made that was restored, while deliveries are on hold.'),
  emails: z.object({
    waiting: z.int().describe('Not accepted by the mail server within a minute.'),
    waiting_since: timestamp.nullable(),
    next_attempt_at: timestamp.nullable(),
    undeliverable: z.int().describe('Refused, or given up after two days.'),
  }),
  repairs: z
    .array(
      z.object({
        at: timestamp,
        kind: z.enum(repairKinds),
        webhooks: z.int(),
        deliveries: z.int().nullable().describe('How many were due; null if not counted.'),
      }),
    )
    .describe('The newest first, at most 5. They are kept for the retention period.'),
});

export type InstallationStatus = z.infer<typeof installationStatus>;

export const getInstallationStatus = defineRoute({
  name: 'getInstallationStatus',
  method: 'GET',
  path: '/api/dashboard/support-desk/installation-status',
  summary: 'Get the status of the installation: processes, backlog, database, backup and emails',
  description:
    'For installation support only. It has only names and counts of accounts. Nothing is recorded.',
  access: 'session',
  response: { 200: success(installationStatus) },
});
