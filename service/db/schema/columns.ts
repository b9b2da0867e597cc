import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  // `Buffer.from(value)` would be a part of Node's shared pool, and keep 64 KiB of it while cached.
  fromDriver: (value) => Buffer.from(Uint8Array.from(value).buffer),
});

export const instantColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3 });

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/**
 * The transaction that added the row, in decimal digits. Ids do not tell which rows a client has
 * seen: a row can get its id before another one, and be committed after it.
 */
export const addedByColumn = () =>
  xid8('added_by')
    .notNull()
    .default(sql`pg_current_xact_id()`);

/** Who did something, with the name at that time: a member, an API key, or the service itself. */
export type ActorReference = {
  kind: 'person' | 'api_key' | 'system';
  id: string | null;
  name: string;
};
