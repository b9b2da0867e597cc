import { cancelIncident as contract } from '#lib/contract/api-keys/incident.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incident.ts';
import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { confirmCaller } from '../confirm-caller.ts';
import { cancelWaitingKeys, lockIncident, updateIncidentRow } from '../store/incidents.ts';
import { describeWithKeys } from './describe-incident.ts';
import { incidentNamed } from './incident-named.ts';

/**
 * Ends an incident before the keys that still wait. What was done stays done; one that is over stays
 * as it is.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN
 */
export async function cancelIncident(
  ctx: Context,
  actor: PersonActor,
  input: { incident: string },
): Promise<IncidentWithKeys> {
  const reference = incidentNamed(actor, input.incident);
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await confirmCaller(tx, actor, { act: contract.access.act, scope: 'api-keys:manage', now });
    const incident = await lockIncident(tx, reference);
    if (!incident) throw notFound();
    if (incident.state !== 'running') return await describeWithKeys(tx, incident);
    const keys = await cancelWaitingKeys(tx, reference, now);
    const change = {
      state: 'cancelled' as const,
      finishedAt: now,
      cancelledBy: actorReference(actor),
    };
    await updateIncidentRow(tx, reference, change);
    await recordAudit(tx, {
      actor,
      action: 'incident.cancelled',
      at: now,
      target: { kind: 'incident', id: incident.uuid, name: incident.reason },
      changes: { keys_left: keys },
    });
    return await describeWithKeys(tx, { ...incident, ...change });
  });
}
