import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  // `Buffer.from(value)` would be a piece of Node's shared pool, and hold 64 KiB of it while cached.
  fromDriver: (value) => Buffer.from(Uint8Array.from(value).buffer),
});

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Who did something, as it was named at the time: a member, an API key, or the service itself. */
export type ActorReference = {
  kind: 'person' | 'api_key' | 'system';
  id: string | null;
  name: string;
};
