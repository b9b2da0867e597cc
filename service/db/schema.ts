import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SupportTokens } from '#lib/contract/api-keys/ceiling.ts';
import type { IncidentAct } from '#lib/contract/api-keys/incident-words.ts';
import type { Incident, IncidentResult } from '#lib/contract/api-keys/incident.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { SessionHours } from '#lib/contract/people/session-hours.ts';
import type { Role } from '#lib/contract/roles.ts';
import type {
  DeclineReason,
  RequestObstacle,
  RotationReason,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { MailKind } from '../mail/mail-kinds.ts';
import type { MailContent } from '../mail/mail.ts';

const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  // `Buffer.from(value)` would be a piece of Node's shared pool, and hold 64 KiB of it while cached.
  fromDriver: (value) => Buffer.from(Uint8Array.from(value).buffer),
});

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Who did something, as it was named at the time: a member, an API key, or the service itself. */
export type ActorReference = {
  kind: 'person' | 'api_key' | 'system';
  id: string | null;
  name: string;
};

/** How many of each a search at the support desk found; the most that it shows, if there were more. */
export type DeskFinds = { keys: number; webhooks: number; people: number; accounts: number };

// ── People and accounts ───────────────────────────────────────────────────
// better-auth reads and writes people, sessions, credentials and verifications; their property
// names are its field names. Accounts and members are ours.

export const people = pgTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  /**
   * Whether they accepted an invitation, or confirmed a new address, with a link that was not
   * mailed: then nobody knows whether the address is theirs. False where an operator vouches for them. Ours.
   */
  isUnverified: boolean('is_unverified').notNull().default(false),
  /** What they chose not to be told of by mail. Ours. */
  turnedOffMails: text('turned_off_mails').array().$type<MailPreference[]>().notNull().default([]),
  image: text('image'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** When the password was given again within the session; null: only at `created_at`. Ours. */
    provedAt: instant('proved_at'),
    /** The account the session works in; null: the one the person joined first. Ours. */
    chosenAccountId: uuid('chosen_account_id').references(() => accounts.id, {
      onDelete: 'set null',
    }),
    /** The digest of the token before `token`, which reads until `previous_valid_until`. Ours. */
    previousDigest: bytes('previous_digest'),
    previousValidUntil: instant('previous_valid_until'),
  },
  (table) => [
    index('sessions_person').on(table.userId),
    uniqueIndex('sessions_previous_digest').on(table.previousDigest),
  ],
);

export const credentials = pgTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    accountId: text('subject').notNull(),
    providerId: text('provider').notNull(),
    userId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('credentials_person').on(table.userId)],
);

export const verifications = pgTable('verifications', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

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

export const members = pgTable(
  'members',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** When they last used the dashboard in this account, to the minute; null: never. */
    lastSeenAt: instant('last_seen_at'),
    lastSeenAgent: text('last_seen_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.personId] }),
    index('members_person').on(table.personId),
  ],
);

/** Who supports every account of the installation that allows it, a member of it or not. */
export const installationSupport = pgTable('installation_support', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  addedAt: instant('added_at').notNull(),
});

/**
 * Why installation support opened an account. Of those that have ended, the latest of each person is
 * kept; the audit log has them all.
 */
export const supportVisits = pgTable(
  'support_visits',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().defaultRandom(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The session for which the reason was given; null once it was ended. */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    reason: text('reason').notNull(),
    openedAt: instant('opened_at').notNull(),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('support_visits_person').on(table.personId, table.accountId),
    index('support_visits_session').on(table.sessionId),
  ],
);

/**
 * Every search at the support desk, whatever it found: they concern the installation, not an account.
 * Append-only like audit entries. What a search showed of an account is in that account's audit log.
 */
export const deskSearches = pgTable(
  'desk_searches',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    person: jsonb('person').$type<ActorReference>().notNull(),
    /** Null: a token was looked up, of which nothing is kept. */
    search: text('search'),
    /** How many of each it found. */
    found: jsonb('found').$type<DeskFinds>().notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
  },
  (table) => [
    index('desk_searches_at').on(table.at),
    index('desk_searches_person').on(sql`(person ->> 'id')`, table.id),
  ],
);

/** A person's authenticator app (TOTP, RFC 6238): one at most. */
export const authenticatorApps = pgTable('authenticator_apps', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  /** Changes with each new secret, to which the sealed value is bound. */
  uuid: uuid('uuid').notNull().unique(),
  sealedSecret: bytes('sealed_secret').notNull(),
  createdAt: instant('created_at').notNull(),
  /** When a code of the app was given for the first time; null: it is not in use yet. */
  confirmedAt: instant('confirmed_at'),
  /** The time step of the latest code that was accepted: each code counts once. */
  lastStep: bigint('last_step', { mode: 'number' }),
  lastUsedAt: instant('last_used_at'),
});

/** A person's passkeys (WebAuthn credentials): their public keys. */
export const passkeys = pgTable(
  'passkeys',
  {
    uuid: uuid('uuid').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: bytes('public_key').notNull(),
    /** The authenticator's signature counter; 0 for those that have none. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    /** Whether it is synchronised between the person's devices. */
    isSynced: boolean('is_synced').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_person').on(table.personId)],
);

/** Challenges that a passkey was asked to sign and has not signed yet. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<PasskeyPurpose>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('passkey_challenges_person').on(table.personId)],
);

/** `add`: a new passkey signs. `use`: one of the person's signs. */
export type PasskeyPurpose = 'add' | 'use';

/** Codes that stand in for a second factor, each once. Used ones stay, so that they can be counted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('recovery_codes_person').on(table.personId)],
);

/** Sign-ins in which the password was right and the second factor is still asked for. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** Of the token by which the browser goes on. */
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** How often a second factor was given that is not right. */
    failures: integer('failures').notNull().default(0),
  },
  (table) => [index('pending_sign_ins_person').on(table.personId)],
);

/** Somebody is asked to become a member. The link's token is kept as a digest; it works once. */
export const invitations = pgTable(
  'invitations',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    email: text('email').notNull(),
    role: text('role').$type<Role>().notNull(),
    digest: bytes('digest').notNull().unique(),
    /** Whether the link was mailed: then whoever has it can read that address's mail. */
    isMailed: boolean('is_mailed').notNull(),
    invitedById: text('invited_by_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    unique('invitations_email').on(table.accountId, table.email),
  ],
);

/** One row at most: the digest of the link that makes the first person. */
export const setUpTokens = pgTable('set_up_tokens', {
  digest: bytes('digest').primaryKey(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/**
 * The newest link with which the person who has this e-mail can choose a new password. Kept for every
 * e-mail that was typed, a person's or not, so that asking costs the same. The link's token is kept
 * as a digest; it works once.
 */
export const passwordResets = pgTable('password_resets', {
  email: text('email').primaryKey(),
  digest: bytes('digest').notNull().unique(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

/**
 * Somebody asked to change their e-mail. The row stays while the previous address can take the change
 * back, also once it was cancelled: whoever asked and cancelled has a session and the password.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    /** Of the link that confirms the new address; null once it was used or the change cancelled. */
    confirmDigest: bytes('confirm_digest').unique(),
    /** Of the link that takes the change back. */
    revokeDigest: bytes('revoke_digest').notNull().unique(),
    /** Whether the links were mailed: then whoever confirms can read the new address's mail. */
    isMailed: boolean('is_mailed').notNull(),
    createdAt: instant('created_at').notNull(),
    confirmableUntil: instant('confirmable_until').notNull(),
    /** Null: not confirmed. */
    confirmedAt: instant('confirmed_at'),
    revocableUntil: instant('revocable_until').notNull(),
  },
  (table) => [
    index('email_changes_person').on(table.personId),
    index('email_changes_old_email').on(table.oldEmail),
  ],
);

/**
 * Mails to members, each written down in the transaction that decided to send it. A row is kept after
 * the mail was sent: nobody is told twice of one occasion.
 */
export const sentNotices = pgTable(
  'sent_notices',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<MailKind>().notNull(),
    /** What it is about, such as the uuid of a key. */
    subjectId: text('subject_id').notNull(),
    /** Which time that it happens to this subject, such as when the key expires. */
    occasion: text('occasion').notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Names it to mail servers: each try has this Message-ID. */
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    createdAt: instant('created_at').notNull(),
    /** Null once it was sent or given up. */
    mail: jsonb('mail').$type<MailContent>(),
    tries: integer('tries').notNull(),
    /** When it is tried again unless the mail server took it; null once it is tried no more. */
    nextTryAt: instant('next_try_at'),
    sentAt: instant('sent_at'),
  },
  (table) => [
    primaryKey({
      columns: [table.accountId, table.kind, table.subjectId, table.occasion, table.personId],
    }),
    index('sent_notices_person').on(table.personId),
    index('sent_notices_due')
      .on(table.nextTryAt)
      .where(sql`next_try_at is not null`),
  ],
);

/** Facts about the installation itself, such as the check value of SECRET_KEY. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});

// ── API keys ──────────────────────────────────────────────────────────────

export const apiKeys = pgTable(
  'api_keys',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    name: text('name').notNull(),
    type: text('type').$type<KeyType>().notNull(),
    /** As granted; null stands for every scope of the type, today's and future ones. */
    scopes: text('scopes').array().$type<Scope[]>(),
    allowedCidrs: text('allowed_cidrs').array().notNull().default([]),
    description: text('description'),
    /** In lower case. */
    tags: text('tags').array().notNull().default([]),
    /** Whom to ask about the key. They may have left the account since. */
    responsibleId: text('responsible_id'),
    /** What they were called when they were chosen. */
    responsibleName: text('responsible_name'),
    /** Its own limit of calls; null for what every key may make. */
    rateLimitPerMinute: integer('rate_limit_per_minute'),
    expiresAt: instant('expires_at'),
    createdAt: instant('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    updatedAt: instant('updated_at').notNull(),
    revokedAt: instant('revoked_at'),
    revokedReason: text('revoked_reason'),
    revokedBy: jsonb('revoked_by').$type<ActorReference>(),
    /**
     * How many of the moments of its expiry were announced, or had passed when the expiry was set:
     * 7 days before, 1 day before, and when it has expired.
     */
    expiryNotices: integer('expiry_notices').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('api_keys_id').on(table.id),
    // Keys of all accounts of whose expiry something is still to be announced.
    index('api_keys_expiring')
      .on(table.expiresAt, table.id)
      .where(sql`revoked_at is null and expires_at is not null and expiry_notices < 3`),
    index('api_keys_revoked')
      .on(table.accountId, table.revokedAt, table.id)
      .where(sql`revoked_at is not null`),
    // Expired keys by their end, and all that are alive.
    index('api_keys_not_revoked')
      .on(table.accountId, table.expiresAt, table.id)
      .where(sql`revoked_at is null`),
  ],
);

/** The tokens of a key. Only a digest is kept; at most 20 of a key's tokens are valid at a time. */
export const apiKeyTokens = pgTable(
  'api_key_tokens',
  {
    accountId: uuid('account_id').notNull(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    digest: bytes('digest').notNull(),
    lastFour: text('last_four').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    /** Who received the token in an answer; null if nobody was ever shown it. */
    revealedTo: jsonb('revealed_to').$type<ActorReference>(),
    /**
     * When it was shown in the dashboard, until that person confirms having it; null if they did, for
     * tokens of the API, and for those of a version that did not ask.
     */
    unconfirmedSince: instant('unconfirmed_since'),
    /** When that person was told by mail that nobody confirmed it. */
    unconfirmedMailedAt: instant('unconfirmed_mailed_at'),
    /** The token that becomes the newest again if the rotation that made this one is undone. */
    undoTokenId: integer('undo_token_id'),
    /** Null for the newest token; for a replaced one when it stops being valid. */
    validUntil: instant('valid_until'),
    firstUsedAt: instant('first_used_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedIp: text('last_used_ip'),
    lastUsedAgent: text('last_used_agent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.apiKeyId, table.id] }),
    uniqueIndex('api_key_tokens_digest').on(table.digest),
    unique('api_key_tokens_id').on(table.id),
    // For the support desk, which searches all accounts.
    index('api_key_tokens_last_four').on(sql`lower(${table.lastFour})`),
    index('api_key_tokens_unconfirmed')
      .on(table.unconfirmedSince)
      .where(sql`unconfirmed_since is not null and unconfirmed_mailed_at is null`),
  ],
);

/**
 * How many calls each token made in each hour, kept for two days: what would end with it. Written
 * with the last uses.
 */
export const tokenCalls = pgTable(
  'api_key_token_calls',
  {
    accountId: uuid('account_id').notNull(),
    tokenId: integer('token_id')
      .notNull()
      .references(() => apiKeyTokens.id, { onDelete: 'cascade' }),
    /** When the hour began, in UTC. */
    hour: instant('hour').notNull(),
    calls: integer('calls').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.tokenId, table.hour] }),
    index('api_key_token_calls_hour').on(table.hour),
  ],
);

/** From which addresses each token was used in the last 30 days; of each token the latest 500. */
export const tokenAddresses = pgTable(
  'api_key_token_addresses',
  {
    accountId: uuid('account_id').notNull(),
    tokenId: integer('token_id')
      .notNull()
      .references(() => apiKeyTokens.id, { onDelete: 'cascade' }),
    /** In the one spelling of `canonicalAddress`. */
    address: text('address').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.tokenId, table.address] }),
    index('api_key_token_addresses_used').on(table.lastUsedAt),
  ],
);

/** Many keys that are rotated or revoked at once. Workers take one after the other. */
export const incidents = pgTable(
  'incidents',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    act: text('act').$type<IncidentAct>().notNull(),
    /** Null for a revocation. */
    graceSeconds: integer('grace_seconds'),
    reason: text('reason').notNull(),
    /** By what the keys were chosen, as the API shows it. */
    choice: jsonb('choice').$type<Incident['choice']>().notNull(),
    state: text('state').$type<Incident['state']>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** The person for whom every key is changed. */
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    /** Where their request came from, which each audit entry names. */
    origin: jsonb('origin')
      .$type<{ ip: string; userAgent: string | null; requestId: string }>()
      .notNull(),
    finishedAt: instant('finished_at'),
    cancelledBy: jsonb('cancelled_by').$type<ActorReference>(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('incidents_listed').on(table.accountId, table.createdAt),
    uniqueIndex('incidents_running')
      .on(table.accountId)
      .where(sql`state = 'running'`),
  ],
);

/** The keys of an incident, and what became of each. */
export const incidentKeys = pgTable(
  'incident_keys',
  {
    accountId: uuid('account_id').notNull(),
    incidentUuid: uuid('incident_uuid')
      .notNull()
      .references(() => incidents.uuid, { onDelete: 'cascade' }),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Of the newest token when the incident began. */
    lastFour: text('last_four').notNull(),
    result: text('result').$type<IncidentResult>().notNull(),
    /** Why it was skipped or failed. */
    problem: text('problem'),
    at: instant('at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.incidentUuid, table.apiKeyId] })],
);

/**
 * A member asks another to rotate a key whose token they must not see themselves. Nothing happens
 * to the key until the named member does it; an open request is over at `expires_at`.
 */
export const rotationRequests = pgTable(
  'rotation_requests',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    requestedById: text('requested_by_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** Who may rotate the key for this request and see its token. */
    memberId: text('member_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<RotationReason>().notNull(),
    note: text('note'),
    state: text('state').$type<RotationRequestState>().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    closedAt: instant('closed_at'),
    closedBy: jsonb('closed_by').$type<ActorReference>(),
    /** What ended it, where neither its time nor an act on the request or the key did. */
    closedBecause: text('closed_because').$type<RequestObstacle>(),
    declineReason: text('decline_reason').$type<DeclineReason>(),
    declineMessage: text('decline_message'),
    /** When the member was sent a mail about it; null if they had reached the limit of mails. */
    mailedAt: instant('mailed_at'),
    /** Whether somebody is yet to be told by mail what became of it. */
    owesOutcome: boolean('owes_outcome').notNull().default(false),
    outcomeMailedAt: instant('outcome_mailed_at'),
    /** Id of the person who was sent that mail, which counts against their limit of mails. */
    outcomeMailedTo: text('outcome_mailed_to'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    uniqueIndex('rotation_requests_open')
      .on(table.accountId, table.apiKeyId)
      .where(sql`state = 'open'`),
    index('rotation_requests_listed').on(table.accountId, table.createdAt, table.uuid),
    index('rotation_requests_requester').on(table.requestedById, table.createdAt, table.uuid),
    index('rotation_requests_member').on(table.memberId, table.createdAt, table.uuid),
    index('rotation_requests_owing')
      .on(table.accountId)
      .where(sql`owes_outcome`),
    index('rotation_requests_mailed')
      .on(table.accountId, table.apiKeyId, table.memberId, table.mailedAt)
      .where(sql`mailed_at is not null`),
  ],
);

// ── Webhooks ──────────────────────────────────────────────────────────────

export const webhooks = pgTable(
  'webhooks',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: integer('id').notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    events: text('events').array().$type<EventType[]>().notNull(),
    isActive: boolean('is_active').notNull(),
    inactiveSince: instant('inactive_since'),
    inactiveReason: text('inactive_reason'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('webhooks_id').on(table.id),
  ],
);

/** Signing secrets, sealed. The newest has no end; a replaced one signs until `valid_until`. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull(),
    sealed: bytes('sealed').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Who received the secret in an answer; null if nobody was ever shown it. */
    revealedTo: jsonb('revealed_to').$type<ActorReference>(),
    /**
     * When it was shown in the dashboard, until that person confirms having it; null if they did, for
     * secrets of the API, and for those of a version that did not ask.
     */
    unconfirmedSince: instant('unconfirmed_since'),
    /** When that person was told by mail that nobody confirmed it. */
    unconfirmedMailedAt: instant('unconfirmed_mailed_at'),
    validUntil: instant('valid_until'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.webhookId, table.uuid] }),
    index('webhook_secrets_unconfirmed')
      .on(table.unconfirmedSince)
      .where(sql`unconfirmed_since is not null and unconfirmed_mailed_at is null`),
  ],
);

// ── Conversations ─────────────────────────────────────────────────────────

export const conversations = pgTable(
  'conversations',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    subject: text('subject').notNull(),
    contact: text('contact'),
    status: text('status').$type<'open' | 'closed'>().notNull(),
    createdAt: instant('created_at').notNull(),
    closedAt: instant('closed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    unique('conversations_id').on(table.id),
    index('conversations_status').on(table.accountId, table.status, table.id),
  ],
);

export const messages = pgTable(
  'messages',
  {
    accountId: uuid('account_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    author: text('author').$type<'contact' | 'agent' | 'bot'>().notNull(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.conversationId, table.id] }),
    // By both columns, so that the primary key finds the messages of a conversation that is erased.
    foreignKey({
      name: 'messages_conversation',
      columns: [table.accountId, table.conversationId],
      foreignColumns: [conversations.accountId, conversations.id],
    }).onDelete('cascade'),
  ],
);

/** The outbox: what happened, written in the transaction in which it happened. */
export const events = pgTable(
  'events',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique(),
    type: text('type').$type<EventType | TestEventType>().notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }),
    /** The webhook it is about, to which it is never sent; null if it is not about one. */
    aboutWebhookId: integer('about_webhook_id'),
    /** The body of every delivery of this event, as it is signed and sent. */
    payload: text('payload').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('events_age').on(table.createdAt),
    // Deliveries about a conversation.
    index('events_conversation')
      .on(table.accountId, table.conversationId, table.id)
      .where(sql`conversation_id is not null`),
  ],
);

/**
 * Answers to requests that carried an `Idempotency-Key`, kept for 24 hours. Of those that hold a
 * token or secret, the ids of what was made stand in the answer's place.
 */
export const idempotentAnswers = pgTable(
  'idempotent_answers',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Which API key or person sent it. */
    caller: text('caller').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestDigest: bytes('request_digest').notNull(),
    answer: jsonb('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.caller, table.route, table.key] }),
    index('idempotent_answers_age').on(table.createdAt),
  ],
);

// ── Deliveries ────────────────────────────────────────────────────────────
// None of these refers to its webhook: deleting a webhook must not wait for the removal of what may
// be a million rows. Retention removes them; until then reads go through the webhook.

/** An event on its way to one webhook. `(webhook_id, event_id)` is made once, however often sent. */
export const deliveries = pgTable(
  'deliveries',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    eventType: text('event_type').$type<EventType | TestEventType>().notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed' | 'cancelled'>().notNull(),
    /** When the next attempt may begin; null unless pending. */
    dueAt: instant('due_at'),
    /** Attempts made in all. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Attempts made since it was last queued: the position in the retry schedule. */
    tries: integer('tries').notNull().default(0),
    lastStatusCode: integer('last_status_code'),
    /** In a user's words; null after a success. */
    lastError: text('last_error'),
    /** The replay that queued it last; its attempts carry `Webhook-Replay`. */
    replayUuid: uuid('replay_uuid'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    unique('deliveries_id').on(table.id),
    index('deliveries_due')
      .on(table.webhookId, table.dueAt, table.eventId)
      .where(sql`status = 'pending'`),
    // A window of time, in the list and in the statistics.
    index('deliveries_time').on(table.webhookId, table.createdAt),
    // A delivery whose first attempt succeeds never touches it.
    index('deliveries_retried')
      .on(table.webhookId, table.eventId)
      .where(sql`attempt_count > 1 or (attempt_count = 1 and status <> 'delivered')`),
    // What people look for among a million; a delivery that arrives never touches it.
    index('deliveries_failed')
      .on(table.webhookId, table.eventId)
      .where(sql`status = 'failed'`),
    // Deliveries by the status of the latest answer; one that is answered 2xx at once never touches it.
    index('deliveries_refused')
      .on(table.webhookId, table.lastStatusCode, table.eventId)
      .where(sql`last_status_code >= 300`),
  ],
);

/** One sending of a delivery and what came of it. Only added to. */
export const attempts = pgTable(
  'attempts',
  {
    accountId: uuid('account_id').notNull(),
    webhookId: integer('webhook_id').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    number: integer('number').notNull(),
    startedAt: instant('started_at').notNull(),
    /** From its start to its end, in milliseconds, waiting for a connection included. */
    durationMs: integer('duration_ms').notNull(),
    /** How long the delivery had been due when the attempt began. */
    waitedMs: integer('waited_ms').notNull(),
    firstByteMs: integer('first_byte_ms'),
    url: text('url').notNull(),
    statusCode: integer('status_code'),
    errorKind: text('error_kind'),
    errorMessage: text('error_message'),
    requestHeaders: jsonb('request_headers').$type<Record<string, string>>().notNull(),
    responseHeaders: jsonb('response_headers').$type<Record<string, string>>(),
    responseBody: text('response_body'),
    isResponseTruncated: boolean('is_response_truncated').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId, table.id] }),
    index('attempts_time').on(table.webhookId, table.startedAt),
  ],
);

/** What workers claim: a webhook's queue, with the counters its attempts move. */
export const lanes = pgTable(
  'lanes',
  {
    webhookId: integer('webhook_id')
      .primaryKey()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    /** When it may be claimed: when something is due, or when its lease ends; null: asleep. */
    wakeAt: instant('wake_at'),
    /** Who holds the lease; null when free. */
    owner: uuid('owner'),
    /** Counts claims: a settlement must name the one it belongs to. */
    lease: bigint('lease', { mode: 'number' }).notNull().default(0),
    /** Something came due while it was leased. */
    isDirty: boolean('is_dirty').notNull().default(false),
    /** Its webhook is inactive: nothing is claimed. */
    isPaused: boolean('is_paused').notNull().default(false),
    /** Failed attempts since the last success; tests do not count. */
    failureCount: integer('failure_count').notNull().default(0),
    failingSince: instant('failing_since'),
    /** `failing_since` of the failures that were announced last. */
    failingAnnouncedFor: instant('failing_announced_for'),
    /** How many warnings of the coming deactivation were given: at half time, and a day ahead. */
    warningCount: integer('warning_count').notNull().default(0),
    lastTriggeredAt: instant('last_triggered_at'),
  },
  (table) => [
    index('lanes_wake')
      .on(table.wakeAt)
      .where(sql`wake_at is not null and not is_paused`),
    index('lanes_failing')
      .on(table.failingSince)
      .where(sql`failing_since is not null`),
    // Webhooks whose failing is still to be announced.
    index('lanes_failing_unannounced')
      .on(table.failingSince)
      .where(
        sql`failing_since is distinct from failing_announced_for and failing_since is not null`,
      ),
  ],
);

/**
 * The workers that are running. Every time is the database's, to the microsecond: the clocks of the
 * machines that workers run on do not matter.
 */
export const workers = pgTable('workers', {
  /** What its leases name. */
  owner: uuid('owner').primaryKey(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  /** The last heartbeat. */
  beatsAt: timestamp('beats_at', { withTimezone: true }).notNull(),
  /** Start of its unbroken heartbeats; below the limit it may not declare others dead. */
  steadySince: timestamp('steady_since', { withTimezone: true }).notNull(),
});

/** A window of past events that is sent to a webhook again, a step at a time. */
export const replays = pgTable(
  'replays',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    webhookId: integer('webhook_id').notNull(),
    since: instant('since').notNull(),
    until: instant('until').notNull(),
    /** `failed`: what failed or was never delivered; `all`: what was delivered as well. */
    statusFilter: text('status_filter').$type<'failed' | 'all'>().notNull(),
    state: text('state').$type<'running' | 'done' | 'cancelled'>().notNull(),
    total: integer('total').notNull(),
    /** How many events were queued so far. */
    done: integer('done').notNull().default(0),
    /** The last event looked at. */
    cursorEventId: bigint('cursor_event_id', { mode: 'number' }).notNull().default(0),
    createdAt: instant('created_at').notNull(),
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('replays_running')
      .on(table.createdAt)
      .where(sql`state = 'running'`),
  ],
);

// ── Audit ─────────────────────────────────────────────────────────────────

/**
 * What was done by whom. Append-only: triggers refuse changes, and removal but by retention. The
 * entries of an account form a chain, which `domain/audit/chain/` writes and verifies.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    actor: jsonb('actor').$type<ActorReference>().notNull(),
    action: text('action').notNull(),
    target: jsonb('target').$type<{ kind: string; id: string; name: string }>().notNull(),
    changes: jsonb('changes').$type<Record<string, unknown>>(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    /** Its place in the account's chain, from 1. Null: an earlier version wrote it, just now. */
    sequence: bigint('sequence', { mode: 'number' }),
    /** A keyed hash over the entry, its place and the hash of the entry before it. */
    hash: bytes('hash'),
    /** Whether an earlier version wrote it without a hash, which it was given afterwards. */
    isChainedLater: boolean('is_chained_later').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('audit_entries_sequence').on(table.accountId, table.sequence),
    // One for each filter of the log. They end with the id, by which the log is read, so that the
    // first page of a filter costs the same however many entries there are.
    index('audit_entries_actor').on(table.accountId, sql`(actor ->> 'id')`, table.id),
    index('audit_entries_actor_kind').on(table.accountId, sql`(actor ->> 'kind')`, table.id),
    index('audit_entries_action').on(table.accountId, table.action, table.id),
    index('audit_entries_action_group').on(
      table.accountId,
      sql`split_part(action, '.', 1)`,
      table.id,
    ),
    index('audit_entries_target').on(table.accountId, sql`(target ->> 'id')`, table.id),
    index('audit_entries_at').on(table.accountId, table.at, table.id),
    index('audit_entries_unchained')
      .on(table.accountId, table.id)
      .where(sql`sequence is null`),
  ],
);

/**
 * Where the chain of an account's audit entries begins and ends. Locked after everything else that
 * a transaction locks, and so held for as short as can be.
 */
export const auditHeads = pgTable('audit_heads', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** The newest entry's place; 0: there was none yet. */
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  hash: bytes('hash').notNull(),
  /** The place of the last entry that retention removed; 0: none was. */
  checkpointSequence: bigint('checkpoint_sequence', { mode: 'number' }).notNull(),
  checkpointHash: bytes('checkpoint_hash').notNull(),
  /** The place that was written next when this row was found changed or removed. */
  brokenAt: bigint('broken_at', { mode: 'number' }),
  createdAt: instant('created_at').notNull(),
  /** A keyed hash over all of the above. */
  seal: bytes('seal').notNull(),
});
