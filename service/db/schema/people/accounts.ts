import { isNotNull, sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { SupportTokens } from '#lib/contract/api-keys/support-tokens.ts';
import type { SessionHours } from '#lib/contract/people/session-hours.ts';
import { instantColumn } from '../columns.ts';
import { provisioners } from './provisioners.ts';

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** Which tokens an owner lets members with the role support see. */
    supportTokens: text('support_tokens').$type<SupportTokens>().notNull().default('within_role'),
    /** Whether members with the role support may read payloads. */
    supportPayloads: boolean('support_payloads').notNull().default(false),
    /** Whether members with the role support may read what receivers wrote in their responses. */
    supportErrorTexts: boolean('support_error_texts').notNull().default(false),
    /** Whether installation support can open the account. Else it is like an unknown account. */
    allowsInstallationSupport: boolean('allows_installation_support').notNull().default(true),
    /** Like `supportTokens` and the two after it, for installation support. */
    installationSupportTokens: text('installation_support_tokens')
      .$type<SupportTokens>()
      .notNull()
      .default('within_role'),
    installationSupportPayloads: boolean('installation_support_payloads').notNull().default(false),
    installationSupportErrorTexts: boolean('installation_support_error_texts')
      .notNull()
      .default(false),
    /** The limits of active keys and webhooks; null: those of MAX_KEYS and MAX_WEBHOOKS. */
    maxKeys: integer('max_keys'),
    maxWebhooks: integer('max_webhooks'),
    /** The time from which its members need a second factor; null: it is not required. */
    secondFactorRequiredFrom: instantColumn('second_factor_required_from'),
    /** How many hours after the password was given a session ends in this account. */
    sessionHours: integer('session_hours').$type<SessionHours>().notNull().default(168),
    /** When an owner deleted it; null if nobody did. All its rows are erased 7 days later. */
    deletedAt: instantColumn('deleted_at'),
    /** The provisioner that created it; null if a person or an operator did. */
    provisionerId: uuid('provisioner_id').references(() => provisioners.id, {
      onDelete: 'set null',
    }),
  },
  (table) => [
    index('accounts_name').on(sql`lower(${table.name})`, table.id),
    index('accounts_provisioner').on(table.provisionerId).where(isNotNull(table.provisionerId)),
  ],
);

/** The columns of `SupportAccess` for members with the role support. */
export const supportAccess = {
  tokens: accounts.supportTokens,
  payloads: accounts.supportPayloads,
  error_texts: accounts.supportErrorTexts,
};

/** The same for installation support. */
export const installationSupportAccess = {
  tokens: accounts.installationSupportTokens,
  payloads: accounts.installationSupportPayloads,
  error_texts: accounts.installationSupportErrorTexts,
};
