import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import type { AttemptName } from '../settled-attempt.ts';

const askedColumns = {
  index: 'int',
  webhook_id: 'int',
  event_id: 'bigint',
  number: 'int',
  started_at: 'timestamptz',
};

/** Those of these attempts that the database contains. */
export async function findWrittenAttempts(
  db: Db,
  attempts: readonly AttemptName[],
): Promise<AttemptName[]> {
  if (attempts.length === 0) return [];
  const asked = attempts.map(({ webhookId, eventId, number, startedAt }, index) => ({
    index,
    webhook_id: webhookId,
    event_id: eventId,
    number,
    started_at: startedAt,
  }));
  const { rows } = await db.execute<{ index: number }>(sql`
    select index from ${rowsFrom(asked, askedColumns)} as asked
    where exists (
      select from attempts
      where attempts.webhook_id = asked.webhook_id and attempts.event_id = asked.event_id
        and attempts.number = asked.number and attempts.started_at = asked.started_at
    )`);
  return rows.flatMap(({ index }) => attempts[index] ?? []);
}
