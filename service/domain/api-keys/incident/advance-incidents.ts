import type { Context } from '../../../context.ts';
import type { Repetition } from '../../../repeat.ts';
import { repeat } from '../../../repeat.ts';
import {
  listRunningIncidents,
  listWaitingKeys,
  lockIncident,
  updateIncidentRow,
} from '../store/incidents.ts';
import type { IncidentReference } from '../store/incidents.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { actOnKey } from './act-on-key.ts';
import { notifyOwners } from './notify-owners.ts';

const everyMs = 1000;
/** Keys of one incident in a step, so that those of other accounts move on as well. */
const keysPerStep = 50;

/** Moves incidents on by a step each second. */
export function startIncidents(ctx: Context): Repetition {
  return repeat({
    everyMs,
    act: () => advanceIncidents(ctx),
    log: ctx.log,
    failure: 'incidents did not move on',
  });
}

/**
 * Moves every running incident on by a step. Each key is a transaction of its own, which also writes
 * what became of it: an incident that a crash interrupts goes on where it was, with no key twice and
 * none left out. Any number of processes may do so at once.
 */
export async function advanceIncidents(ctx: Context): Promise<void> {
  for (const incident of await listRunningIncidents(ctx.db)) {
    const waiting = await listWaitingKeys(ctx.db, incident, keysPerStep);
    for (const apiKeyId of waiting) {
      if ((await actOnKey(ctx, incident, apiKeyId)) === 'over') break;
    }
    if (waiting.length < keysPerStep) await finishIncident(ctx, incident);
  }
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
