import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { findIncident } from '../store/incidents.ts';
import { describeWithKeys } from './describe-incident.ts';

/**
 * One incident of the actor's account, with the result of each key. @throws ServiceError NOT_FOUND
 */
export async function getIncident(
  ctx: Context,
  { accountId }: PersonActor,
  input: { incident: string },
): Promise<IncidentWithKeys> {
  const row = await findIncident(ctx.db, { accountId, uuid: parseUuid(input.incident) });
  if (!row) throw notFound();
  return await describeWithKeys(ctx.db, row);
}
