import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  // `Buffer.from(value)` would be a part of Node's shared pool, and keep 64 KiB of it while cached.
  fromDriver: (value) => Buffer.from(Uint8Array.from(value).buffer),
});

export const instantColumn = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3 });

/** Who did something, with the name at that time: a member, an API key, or the service itself. */
export type ActorReference = {
  kind: 'person' | 'api_key' | 'system';
  id: string | null;
  name: string;
};
