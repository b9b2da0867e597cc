import type { IncidentResult } from '#lib/contract/api-keys/incidents/incident.ts';
import { startIncident as contract } from '#lib/contract/api-keys/incidents/incidents.ts';
import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { repeat, type Repetition } from '../../../timing/repeat.ts';
import type { AccountId } from '../../account-id.ts';
import { processEach, maxTemporaryErrorsInARow } from '../../process-each.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { isTemporaryError } from '../../is-temporary-error.ts';
import { sendNotices } from '../../people/notices/notices.ts';
import { isAccountDeleted } from '../../people/accounts/deletion.ts';
import { changeApiKey, type LockedApiKey } from '../change-api-key.ts';
import { setPaused } from '../set-api-key-paused.ts';
import { revokeLockedKey } from '../revoke-api-key.ts';
import { rotateLockedKey } from '../rotation/rotate-api-key.ts';
import { isExpired } from '../rules.ts';
import {
  deleteIncidentsBefore,
  listRunningIncidents,
  listWaitingKeys,
  lockIncident,
  recordIncidentResult,
  updateIncidentRow,
  type IncidentReference,
  type IncidentRow,
} from '../store/incidents.ts';
import { pauseSkipReason } from './incident-keys.ts';
import { notifyOwners } from './notify-owners.ts';

const everyMs = 1000;
/** Keys of one incident that a step changes, so that those of other accounts progress too. */
const keysPerStep = 50;
/** After this many temporary errors a key counts as failed, so that its incident ends. */
const maxTemporaryErrors = 10;

/** How many temporary errors each key met in this process, by the UUID of its running incident. */
export type TemporaryErrors = Map<string, Map<number, number>>;

/** Advances running incidents by one step each second. */
export function startIncidents(ctx: Context): Repetition {
  const errors: TemporaryErrors = new Map();
  return repeat({
    everyMs,
    act: () => advanceIncidents(ctx, errors),
    log: ctx.log,
    failure: 'could not advance incidents',
  });
}

/**
 * Advances every running incident by one step. Each key is changed in a transaction of its own,
 * which also records the result: after a crash an incident continues where it stopped, and no key
 * is changed twice or left out. After a temporary error, such as a deadlock or a lost connection, a
 * key waits for the next step. If an incident fails, that is logged, and the others continue. Any
 * number of processes may do this at the same time.
 */
export async function advanceIncidents(
  ctx: Context,
  errors: TemporaryErrors = new Map(),
): Promise<void> {
  const running = await listRunningIncidents(ctx.db);
  for (const uuid of errors.keys()) {
    if (!running.some((incident) => incident.uuid === uuid)) errors.delete(uuid);
  }
  await processEach(running, {
    async act(incident) {
      const ofIncident = errors.get(incident.uuid) ?? new Map<number, number>();
      errors.set(incident.uuid, ofIncident);
      await advanceIncident(ctx, incident, ofIncident);
    },
    log: ctx.log,
    failure: 'could not advance an incident',
    name: ({ uuid }) => ({ incident: uuid }),
  });
}

async function advanceIncident(
  ctx: Context,
  incident: RunningIncident,
  errors: Map<number, number>,
): Promise<void> {
  const waiting = await listWaitingKeys(ctx.db, incident, keysPerStep);
  let waitsInARow = 0;
  for (const apiKeyId of waiting) {
    const count = (errors.get(apiKeyId) ?? 0) + 1;
    const mayWait = count < maxTemporaryErrors;
    const result = await actOnKey(ctx, incident, { apiKeyId, mayWait });
    if (result === 'over') break;
    if (result === 'waits') errors.set(apiKeyId, count);
    // While the database is away, the incidents of other accounts would wait for each key here.
    waitsInARow = result === 'waits' ? waitsInARow + 1 : 0;
    if (waitsInARow === maxTemporaryErrorsInARow) break;
  }
  if (waiting.length < keysPerStep) await finishIncident(ctx, incident);
}

async function finishIncident(ctx: Context, incident: IncidentReference): Promise<void> {
  const notices = await ctx.db.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident);
    if (locked?.state !== 'running') return [];
    if ((await listWaitingKeys(tx, incident, 1)).length > 0) return [];
    const change = { state: 'done' as const, finishedAt: ctx.clock.now() };
    await updateIncidentRow(tx, incident, change);
    return await notifyOwners(tx, ctx, { ...locked, ...change });
  });
  sendNotices(ctx, notices);
}

type RunningIncident = IncidentRow & { accountId: AccountId };

type Outcome = { result: IncidentResult; problem: string | null };

/**
 * Changes one key of an incident and records the result, in one transaction. If a key
 * cannot be changed, the reason is recorded and the other keys go on.
 *
 * @param options.mayWait whether the key may wait for another try after a temporary error
 * @returns `waits` if it does; `over` if the incident has ended in the meantime, or its account is
 *   being deleted
 */
async function actOnKey(
  ctx: Context,
  incident: RunningIncident,
  { apiKeyId, mayWait }: { apiKeyId: number; mayWait: boolean },
): Promise<'done' | 'waits' | 'over'> {
  const toQueue: number[] = [];
  try {
    const result = await changeApiKey(ctx, actorOf(incident), {
      apiKey: String(apiKeyId),
      act: incident.act === 'resume' ? 'api-keys.create' : contract.access.act,
      change: (locked) => carryOut(ctx, { incident, toQueue }, locked),
    });
    ctx.laneNotifier.queue(toQueue);
    return result;
  } catch (error) {
    if (mayWait && isTemporaryError(error)) {
      const fields = { err: error, incident: incident.uuid, key_id: apiKeyId };
      ctx.log.warn(fields, 'a key of an incident could not be changed yet');
      return 'waits';
    }
    return await ctx.db.transaction(async (tx) => {
      if ((await lockIncident(tx, incident))?.state !== 'running') return 'over';
      // Its keys wait, because the account may be restored, and then they work again.
      if (await isAccountDeleted(tx, incident.accountId)) return 'over';
      const outcome = { apiKeyId, ...outcomeOf(ctx, incident, error), at: ctx.clock.now() };
      await recordIncidentResult(tx, incident, outcome);
      return 'done';
    });
  }
}

async function carryOut(
  ctx: Context,
  { incident, toQueue }: { incident: RunningIncident; toQueue: number[] },
  locked: LockedApiKey,
): Promise<'done' | 'over'> {
  const { tx, key, now } = locked;
  if ((await lockIncident(tx, incident))?.state !== 'running') return 'over';
  const ended = key.revokedAt ? 'was revoked' : isExpired(key, now) ? 'had expired' : null;
  const problem = ended ? `This key ${ended} before its turn.` : pauseSkipReason(incident.act, key);
  const outcome: Outcome = { result: problem === null ? 'done' : 'skipped', problem };
  const settled = { apiKeyId: key.id, ...outcome, at: now };
  // Another process has already handled this key.
  if (!(await recordIncidentResult(tx, incident, settled))) return 'done';
  if (problem !== null) return 'done';
  const { uuid, reason } = incident;
  const change = { ...locked, incident: { uuid, reason } };
  const actor = actorOf(incident);
  if (incident.act === 'revoke') {
    toQueue.push(...(await revokeLockedKey(ctx, actor, { ...change, reason })));
  } else if (incident.act === 'rotate') {
    const input = { grace_period_seconds: incident.graceSeconds ?? 0 };
    await rotateLockedKey(ctx, actor, { ...change, input });
  } else await setPaused(actor, change, incident.act === 'pause');
  return 'done';
}

/**
 * The person who started the incident, as the audit log names them. Their rights are not taken from
 * here: the transaction of each key reads them again.
 */
function actorOf({ accountId, createdBy, createdAt, origin }: RunningIncident): PersonActor {
  return {
    kind: 'person',
    accountId,
    origin,
    personId: createdBy.id ?? '',
    personName: createdBy.name,
    email: '',
    provedAt: createdAt,
    role: 'viewer',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
  };
}

function outcomeOf(ctx: Context, { uuid, createdBy }: RunningIncident, error: unknown): Outcome {
  if (error instanceof ServiceError) {
    if (error.code === 'FORBIDDEN') {
      const problem = `${createdBy.name} may no longer do this in the account.`;
      return { result: 'skipped', problem: error.customMessage ?? problem };
    }
    if (error.code === 'NOT_FOUND')
      return { result: 'skipped', problem: 'This key no longer exists.' };
    const details = Object.values(error.details ?? {}).flat();
    if (details.length > 0) return { result: 'failed', problem: details.join(' ') };
  }
  ctx.log.error({ err: error, incident: uuid }, 'a key of an incident could not be changed');
  return { result: 'failed', problem: 'Something went wrong, so this key was not changed.' };
}

/** Removes incidents that are as old as the audit entries that are removed. */
export async function deleteOldIncidents({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
}): Promise<void> {
  const keptMs = config.auditRetentionDays * dayMs;
  await deleteIncidentsBefore(db, new Date(clock.now().getTime() - keptMs));
}
