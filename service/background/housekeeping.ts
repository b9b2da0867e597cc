import { setTimeout as pause } from 'node:timers/promises';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '../context.ts';
import { deleteOldIncidents } from '../domain/api-keys/incident/advance-incidents.ts';
import { deleteOldCalls } from '../domain/api-keys/calls/delete-old-calls.ts';
import { mailUnconfirmedTokens } from '../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import { mailUnusedKeys } from '../domain/api-keys/mail-unused-keys.ts';
import { mailHeldLeakReports } from '../domain/rotation-requests/leaks/mail-held-leak-reports.ts';
import {
  eraseDeletedAccounts,
  erasePeopleWithoutAccount,
} from '../domain/erasure/erase-deleted-accounts.ts';
import { deleteOldResponses } from '../domain/idempotency/claim-request.ts';
import { deleteOldRepairs } from '../domain/installation/read-installation.ts';
import { deleteOldNotices } from '../domain/people/notices/notices.ts';
import { deleteExpiredLinks } from '../domain/people/open-link.ts';
import type { PauseBetweenBatches } from '../domain/in-batches.ts';
import { applyAuditRetention, applyRetention } from '../domain/retention/apply-retention.ts';
import { mailUnconfirmedSecrets } from '../domain/webhooks/secret/mail-unconfirmed-secrets.ts';

/** The time before the first round, between rounds, and between two batches, in milliseconds. */
type HousekeepingPace = { firstMs: number; everyMs: number; restMs: number };

/** The steps in the order in which they run. If one fails, the others still run. */
const steps: readonly ((ctx: Context, rest: PauseBetweenBatches) => Promise<unknown>)[] = [
  mailUnconfirmedTokens,
  mailUnconfirmedSecrets,
  mailUnusedKeys,
  mailHeldLeakReports,
  deleteOldResponses,
  deleteOldCalls,
  deleteOldIncidents,
  deleteExpiredLinks,
  deleteOldNotices,
  deleteOldRepairs,
  // Before retention, which removes what the webhooks of erased accounts leave behind.
  eraseDeletedAccounts,
  erasePeopleWithoutAccount,
  applyRetention,
  applyAuditRetention,
];

/** The first round is a minute after the start: a service may be restarted every hour. */
const defaultPace: HousekeepingPace = { firstMs: 60_000, everyMs: hourMs, restMs: 50 };

/**
 * Every hour, removes data that is no longer needed, such as deleted accounts and people without an
 * account. Any number of processes may do so: an advisory lock lets one of them remove at a time,
 * and what one process misses, the next one finds.
 *
 * It also emails people about tokens and secrets that they have not confirmed having, about keys
 * that nobody used for 90 days, and about reports of a leak that were not emailed when they were
 * made.
 *
 * A timer is enough: nobody queues this work, the next hour makes up for a missed one, and the rows
 * themselves show what is due. A job queue such as pg-boss would add tables, polling and a schedule
 * of its own.
 */
export function startHousekeeping(
  ctx: Context,
  pace: HousekeepingPace = defaultPace,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = () => waitUnlessStopped(pace.restMs, signal);

  async function runRounds(): Promise<void> {
    for (
      let waitMs = pace.firstMs;
      await waitUnlessStopped(waitMs, signal);
      waitMs = pace.everyMs
    ) {
      for (const step of steps) if (!signal.aborted) await take(step);
    }
  }

  async function take(step: (typeof steps)[number]): Promise<void> {
    try {
      await step(ctx, rest);
    } catch (error) {
      ctx.log.error({ err: error, step: step.name }, 'housekeeping failed');
    }
  }

  const running = runRounds();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Waits; returns false if it was stopped. */
async function waitUnlessStopped(ms: number, signal: AbortSignal): Promise<boolean> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
