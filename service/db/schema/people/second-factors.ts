import { bigint, boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instantColumn } from '../columns.ts';
import { people } from './people.ts';

/** The authenticator app of a person (TOTP, RFC 6238). Each person has at most one. */
export const authenticatorApps = pgTable('authenticator_apps', {
  personId: text('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  /** Changes with each new secret. The sealed secret is bound to it. */
  uuid: uuid('uuid').notNull().unique(),
  sealedSecret: bytes('sealed_secret').notNull(),
  createdAt: instantColumn('created_at').notNull(),
  /** When a code of the app was given for the first time; null until then: it is not in use. */
  confirmedAt: instantColumn('confirmed_at'),
  /** The time step of the latest accepted code: each code works only once. */
  lastStep: bigint('last_step', { mode: 'number' }),
  lastUsedAt: instantColumn('last_used_at'),
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
    /** Whether it is synchronized between the person's devices. */
    isSynced: boolean('is_synced').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    lastUsedAt: instantColumn('last_used_at'),
  },
  (table) => [index('passkeys_person').on(table.personId)],
);

/** Challenges that a passkey was asked to sign but has not signed yet. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<PasskeyPurpose>().notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (table) => [index('passkey_challenges_person').on(table.personId)],
);

/**
 * What a signature is for: to add a passkey or to prove something in a session, with the session's
 * id, or to finish a sign-in, with the digest of its token. A signature for one counts for no other.
 */
export type PasskeyPurpose = `add:${string}` | `prove:${string}` | `sign_in:${string}`;

/** Codes that replace a second factor, once each. Used codes are kept, to count them. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    digest: bytes('digest').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: instantColumn('created_at').notNull(),
    usedAt: instantColumn('used_at'),
  },
  (table) => [index('recovery_codes_person').on(table.personId)],
);
