import { sql } from 'drizzle-orm';
import type { Backlog } from '../metrics.ts';
import type { Db } from './open.ts';
import { notices } from './schema/people/notices.ts';
import { lanes } from './schema/webhooks/lanes.ts';
import { sqlInstant } from './statements/instants.ts';

/** Reads what waits. Each part has an index that contains only rows that may wait. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const at = sqlInstant(now);
  const ageOf = (first: typeof at) =>
    sql`coalesce(extract(epoch from ${at} - ${first}), 0)::float8`;
  const { rows } = await db.execute<Backlog>(sql`
    select due.count as "dueWebhooks", ${ageOf(sql`due.first`)} as "oldestDueSeconds",
      failing.count as "failingWebhooks",
      emails.count as "waitingEmails", ${ageOf(sql`emails.first`)} as "oldestEmailSeconds",
      undeliverable.count as "undeliverableEmails"
    from (
      select count(*)::int as count, min(wake_at) as first from ${lanes}
      where wake_at <= ${at} and not is_paused
    ) as due, (
      select count(*)::int as count from ${lanes} where failing_since is not null
    ) as failing, (
      select count(*)::int as count, min(next_try_at) as first from ${notices}
      where next_try_at <= ${at}
    ) as emails, (
      select count(*)::int as count from ${notices} where undeliverable_since is not null
    ) as undeliverable`);
  const [backlog] = rows;
  if (!backlog) throw new Error('the backlog was not read');
  return backlog;
}
