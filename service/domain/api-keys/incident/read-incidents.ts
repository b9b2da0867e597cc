import {
  incidentResults,
  type Incident,
  type IncidentResult,
  type IncidentWithKeys,
} from '#lib/contract/api-keys/incidents/incident.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import {
  countResults,
  findIncident,
  listIncidentRows,
  listKeysOfIncident,
  type IncidentRow,
} from '../store/incidents.ts';

/** How many incidents the dashboard lists. */
const maxListed = 20;

/** The latest 20 incidents of the actor's account, newest first. */
export async function listIncidents(ctx: Context, { accountId }: PersonActor): Promise<Incident[]> {
  const rows = await listIncidentRows(ctx.db, accountId, maxListed);
  const uuids = rows.map(({ uuid }) => uuid);
  const results = await countResults(ctx.db, accountId, uuids);
  return rows.map((row) =>
    describeIncident(
      row,
      results.filter(({ incidentUuid }) => incidentUuid === row.uuid),
    ),
  );
}

/** An incident of the account with the result of each key. @throws ServiceError NOT_FOUND */
export async function getIncident(
  ctx: Context,
  { accountId }: PersonActor,
  input: { incident: string },
): Promise<IncidentWithKeys> {
  const row = await findIncident(ctx.db, { accountId, uuid: parseUuid(input.incident) });
  if (!row) throw notFound();
  return await describeWithKeys(ctx.db, row);
}

/** @param results how many of its keys have which result */
export function describeIncident(
  row: IncidentRow,
  results: readonly { result: IncidentResult; keys: number }[],
): Incident {
  const none = Object.fromEntries(incidentResults.map((result) => [result, 0]));
  const counts = Object.fromEntries(results.map(({ result, keys }) => [result, keys]));
  return {
    uuid: row.uuid,
    act: row.act,
    grace_period_seconds: row.graceSeconds,
    reason: row.reason,
    state: row.state,
    created_at: formatApiTime(row.createdAt),
    created_by: row.createdBy,
    finished_at: row.finishedAt && formatApiTime(row.finishedAt),
    cancelled_by: row.cancelledBy,
    counts: { ...none, ...counts } as Record<IncidentResult, number>,
  };
}

/** An incident with the current state of each of its keys. */
export async function describeWithKeys(db: Db | Tx, row: IncidentRow): Promise<IncidentWithKeys> {
  const reference = { accountId: mintAccountId(row.accountId), uuid: row.uuid };
  const keys = await listKeysOfIncident(db, reference);
  const byResult = Map.groupBy(keys, ({ result }) => result);
  const results = [...byResult].map(([result, { length }]) => ({ result, keys: length }));
  return {
    ...describeIncident(row, results),
    keys: keys.map(({ uuid, name, lastFour, result, problem, at }) => ({
      uuid,
      name,
      last_four: lastFour,
      result,
      problem,
      at: at && formatApiTime(at),
    })),
  };
}
