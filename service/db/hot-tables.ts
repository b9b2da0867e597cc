import { getTableName, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { apiKeyTokens } from './schema/api-keys/api-key-tokens.ts';
import { apiKeys } from './schema/api-keys/api-keys.ts';
import { auditEntries, auditHeads } from './schema/audit.ts';
import { conversations, messages } from './schema/conversations.ts';
import { idempotentResponses } from './schema/idempotent-responses.ts';
import { sessions } from './schema/people/sessions.ts';
import { attempts, deliveries } from './schema/webhooks/deliveries.ts';
import { events } from './schema/webhooks/events.ts';
import { lanes } from './schema/webhooks/lanes.ts';
import { replays } from './schema/webhooks/replays.ts';
import { webhooks } from './schema/webhooks/webhooks.ts';

/** Tables to which normal use adds rows, or whose rows it changes. */
export const hotTables = [
  apiKeyTokens,
  apiKeys,
  webhooks,
  sessions,
  conversations,
  messages,
  events,
  deliveries,
  attempts,
  lanes,
  replays,
  idempotentResponses,
  auditEntries,
  auditHeads,
];

/** For a smaller table, any plan is good enough. */
const minRows = 500;

/**
 * Analyzes the hot tables that have grown by half since they were last analyzed. Until then
 * connections use plans for a small table, which read all of it. The embedded database never
 * analyzes by itself, and a server only once a minute, which is too late for a new installation
 * that receives many messages.
 *
 * @returns the names of the analyzed tables
 */
export async function analyzeGrownTables({
  db,
  maintenanceDb,
}: {
  db: Db;
  /** Only the owner of a table may analyze it. */
  maintenanceDb: Db;
}): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace
      and relname = any (${`{${hotTables.map(getTableName).join(',')}}`}::text[])
      and pg_stat_get_live_tuples(oid) > ${minRows}::int + 1.5 * greatest(reltuples, 0)`);
  for (const { name } of rows) await maintenanceDb.execute(sql`analyze ${sql.identifier(name)}`);
  return rows.map(({ name }) => name);
}
