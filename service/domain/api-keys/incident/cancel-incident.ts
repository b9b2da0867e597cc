import { cancelIncident as contract } from '#lib/contract/api-keys/incidents/incidents.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { confirmCaller } from '../confirm-actor.ts';
import { cancelWaitingKeys, lockIncident, updateIncidentRow } from '../store/incidents.ts';
import { sendNotices } from '../../people/notices/notices.ts';
import { describeWithKeys } from './read-incidents.ts';
import { notifyOwners } from './notify-owners.ts';

/**
 * Cancels an incident: the keys that still wait are left unchanged, and the keys that were changed
 * stay changed. An incident that has ended stays as it is. The owners get an email.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN
 */
export async function cancelIncident(
  ctx: Context,
  actor: PersonActor,
  input: { incident: string },
): Promise<IncidentWithKeys> {
  const reference = { accountId: actor.accountId, uuid: parseUuid(input.incident) };
  const { described, notices } = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, {
      act: contract.access.act,
      scope: 'api-keys:manage',
      clock: ctx.clock,
    });
    const incident = await lockIncident(tx, reference);
    if (!incident) throw notFound();
    if (incident.state !== 'running') {
      return { described: await describeWithKeys(tx, incident), notices: [] };
    }
    const now = ctx.clock.now();
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
    const ended = { ...incident, ...change };
    return {
      described: await describeWithKeys(tx, ended),
      notices: await notifyOwners(tx, ctx, ended),
    };
  });
  sendNotices(ctx, notices);
  return described;
}
