import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';

/** A moment as a value in hand-written SQL, where no column says how to encode it. */
export function sqlInstant(moment: Date): SQL {
  return sql`${moment.toISOString()}::timestamptz`;
}

/** A `timestamptz` in milliseconds since 1970, as float8: both engines return a number. */
export function sqlMilliseconds(expression: SQL): SQL {
  return sql`(extract(epoch from ${expression}) * 1000)::float8`;
}
