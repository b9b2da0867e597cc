import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { deleteIncidentsBefore } from '../store/incidents.ts';

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
