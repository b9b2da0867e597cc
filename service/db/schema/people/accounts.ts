import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { SupportTokens } from '#lib/contract/api-keys/support-tokens.ts';
import type { SessionHours } from '#lib/contract/people/session-hours.ts';
import { instant } from '../columns.ts';

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Which tokens members with the role support may be shown, as an owner chose. */
    supportTokens: text('support_tokens').$type<SupportTokens>().notNull().default('within_role'),
    /** Whether they may read what customers wrote. */
    supportPayloads: boolean('support_payloads').notNull().default(false),
    /** Whether installation support can open it. If not, it does not exist for them. */
    allowsInstallationSupport: boolean('allows_installation_support').notNull().default(true),
    /** As `supportTokens` and `supportPayloads`, for installation support. */
    installationSupportTokens: text('installation_support_tokens')
      .$type<SupportTokens>()
      .notNull()
      .default('within_role'),
    installationSupportPayloads: boolean('installation_support_payloads').notNull().default(false),
    /** How many live keys and how many webhooks it can have; null: what MAX_KEYS and MAX_WEBHOOKS say. */
    maxKeys: integer('max_keys'),
    maxWebhooks: integer('max_webhooks'),
    /** From when on its members need a second factor; null: it is not required. */
    secondFactorRequiredFrom: instant('second_factor_required_from'),
    /** How long after the password was given a session ends in it, in hours. */
    sessionHours: integer('session_hours').$type<SessionHours>().notNull().default(168),
    /** When an owner deleted it; null: it lives. Everything of it is erased 7 days later. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [index('accounts_name').on(sql`lower(${table.name})`, table.id)],
);
