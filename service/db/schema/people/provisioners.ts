import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instantColumn } from '../columns.ts';

/** Credentials with which test suites create accounts of their own. */
export const provisioners = pgTable('provisioners', {
  id: uuid('id').primaryKey().defaultRandom(),
  name: text('name').notNull().unique(),
  digest: bytes('digest').notNull().unique(),
  createdAt: instantColumn('created_at').notNull(),
  expiresAt: instantColumn('expires_at').notNull(),
});
