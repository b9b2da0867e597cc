import type { Context } from '../../../context.ts';
import type { Repetition } from '../../../timing/repeat.ts';
import { repeat } from '../../../timing/repeat.ts';
import {
  listRunningIncidents,
  listWaitingKeys,
  lockIncident,
  updateIncidentRow,
} from '../store/incidents.ts';
import type { IncidentReference } from '../store/incidents.ts';
import { actOnEach, maxTemporaryErrorsInARow } from '../../act-on-each.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { actOnKey } from './act-on-key.ts';
import type { RunningIncident } from './act-on-key.ts';
import { notifyOwners } from './notify-owners.ts';

const everyMs = 1000;
/**
 * How many keys of one incident a step changes, so that incidents of other accounts progress too.
 */
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
  await actOnEach(running, {
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
