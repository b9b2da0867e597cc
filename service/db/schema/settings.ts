import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';

/** Facts about the installation itself, such as the check value of SECRET_KEY. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});
