import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { minuteMs } from '#lib/durations.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { findCredentialByEmail } from '../db/stored-credential.ts';
import type { PersonCredential } from '../db/stored-credential.ts';
import {
  deleteSessionByDigest,
  deleteSessionById,
  endOf,
  findSessionByDigest,
  insertSession,
  latestEnd,
  listOpenSessions,
  recordUse,
} from '../db/stored-session.ts';
import { HashingQueue } from './hashing-queue.ts';
import { scryptHashing } from './password.ts';
import type { PasswordHashing } from './password.ts';

/** What a browser stores to stay signed in. */
export type SessionCookie = { sessionToken: string; maxAgeSeconds: number };

export type AuthSession = {
  sessionId: string;
  personId: string;
  personName: string;
  email: string;
  /** When it was opened, which counts as a proof. */
  createdAt: Date;
  /** When the person last gave a proof: when it was opened, or later. */
  provedAt: Date;
  /** The account that the person chose to work in; null if they chose none. */
  chosenAccountId: string | null;
  /** When it ends if it is not used again. */
  expiresAt: Date;
  /** Whether the token was replaced a moment ago, so that a call with it may only read. */
  isReplaced: boolean;
};

/** One of the open sessions of a person, without its token. */
export type OpenSession = {
  sessionId: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Rounded to the minute. */
  lastUsedAt: Date;
  expiresAt: Date;
};

type GivenPassword = {
  email: string;
  password: string;
  /** Whether the request comes from a known device. Such requests are served first. */
  isKnownDevice?: boolean;
};

/**
 * Passwords and sessions.
 *
 * At most two functions that hash a password run at a time. Further calls wait; if too many wait
 * already, they are refused with RATE_LIMIT_EXCEEDED.
 */
export type Auth = {
  /**
   * The person with this email and password. Null for a wrong password and for an unknown email,
   * after the same query and the same hash. `email` must be in lower case, as it is stored.
   */
  findByPassword(input: GivenPassword): Promise<PersonCredential | null>;
  openSession(input: {
    personId: string;
    ip: string;
    userAgent: string | null;
  }): Promise<SessionCookie>;
  /** Null unless the session of this token is still open. */
  session(sessionToken: string): Promise<AuthSession | null>;
  digestOf(sessionToken: string): Buffer;
  /**
   * The token that replaces the token of this session. It is always the same, so it can be returned
   * again if the response with it was lost.
   */
  successorOf(session: { sessionToken: string; createdAt: Date }): SessionCookie;
  listSessions(personId: string): Promise<OpenSession[]>;
  /** Ends the session. If it has already ended, nothing happens. */
  signOut(sessionToken: string): Promise<void>;
  /**
   * Returns a salted scrypt hash for storing. Like `verifyPassword`, it is for people who already
   * have access, so it is served first.
   */
  hashPassword(password: string): Promise<string>;
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>;
};

/** How old the recorded last use may be: an active person causes at most one write in this time. */
const recordUseMs = minuteMs;

/**
 * A session token is 256 random bits, or the HMAC of such a token that it replaces. Only its digest
 * is stored, an HMAC with `key`, so a new key ends all sessions.
 *
 * Do not call these functions inside a transaction: they make their queries through `db`.
 */
export function createAuth(options: {
  db: Db;
  key: Buffer;
  clock?: Clock;
  hashing?: HashingQueue;
  passwords?: PasswordHashing;
}): Auth {
  const { clock = systemClock, hashing = new HashingQueue(), passwords = scryptHashing } = options;
  const { db, key } = options;

  const hmac = (text: string) => createHmac('sha256', key).update(text).digest();
  const digestOf = (sessionToken: string) => hmac(`digest:${sessionToken}`);
  const successorOf = (sessionToken: string) =>
    hmac(`successor:${sessionToken}`).toString('base64url');

  function cookieOf(session: { sessionToken: string; createdAt: Date }): SessionCookie {
    const leftMs = latestEnd(session).getTime() - clock.now().getTime();
    return {
      sessionToken: session.sessionToken,
      maxAgeSeconds: Math.max(0, Math.floor(leftMs / 1000)),
    };
  }

  return {
    async findByPassword({ email, password, isKnownDevice = false }) {
      const credential = await findCredentialByEmail(db, email);
      const hash = credential?.passwordHash ?? null;
      const isRight = await hashing.run({ isKnownDevice }, () =>
        passwords.verifyPassword({ hash, password }),
      );
      return isRight ? credential : null;
    },

    async openSession({ personId, ip, userAgent }) {
      const sessionToken = randomBytes(32).toString('base64url');
      const now = clock.now();
      await insertSession(db, {
        id: randomUUID(),
        digest: digestOf(sessionToken),
        personId,
        ipAddress: ip,
        userAgent: userAgent && plainAgent(userAgent),
        createdAt: now,
        lastUsedAt: now,
        provedAt: now,
      });
      return cookieOf({ sessionToken, createdAt: now });
    },

    async session(sessionToken) {
      const now = clock.now();
      const stored = await findSessionByDigest(db, {
        digest: digestOf(sessionToken),
        successor: digestOf(successorOf(sessionToken)),
        now,
      });
      if (!stored) return null;
      if (endOf(stored) <= now) {
        await deleteSessionById(db, stored.sessionId);
        return null;
      }
      const { lastUsedAt, ...session } = stored;
      const isRecorded = now.getTime() - lastUsedAt.getTime() < recordUseMs;
      if (!isRecorded) await recordUse(db, session.sessionId, now);
      const end = endOf({ ...session, lastUsedAt: isRecorded ? lastUsedAt : now });
      return { ...session, expiresAt: end };
    },

    digestOf,
    successorOf: ({ sessionToken, createdAt }) =>
      cookieOf({ sessionToken: successorOf(sessionToken), createdAt }),

    async listSessions(personId) {
      const open = await listOpenSessions(db, personId, clock.now());
      return open.map((session) => ({
        sessionId: session.id,
        ip: session.ipAddress,
        userAgent: session.userAgent,
        createdAt: session.createdAt,
        lastUsedAt: session.lastUsedAt,
        expiresAt: endOf(session),
      }));
    },

    signOut: (sessionToken) => deleteSessionByDigest(db, digestOf(sessionToken)),

    hashPassword: (password) =>
      hashing.run({ isKnownDevice: true }, () => passwords.hashPassword(password)),
    verifyPassword: (input) =>
      hashing.run({ isKnownDevice: true }, () => passwords.verifyPassword(input)),
  };
}

/** Browsers send only ASCII here, so other characters are dropped. */
function plainAgent(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 512);
}
