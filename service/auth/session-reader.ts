import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { findSessionByToken } from '../db/stored-session.ts';
import type { StoredSession } from '../db/stored-session.ts';
import { isUseRecorded } from './is-use-recorded.ts';
import { sessionCookieName } from './load-library.ts';
import type { Library } from './load-library.ts';
import { endOf, latestEnd } from './session-lifetime.ts';

/** A valid session and its person. */
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

/** Reads sessions, and ends those that are too old. */
export class SessionReader {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #loadLibrary: () => Promise<Library>;
  /**
   * Maps the digest of a session token to the stored token in it, once better-auth has checked the
   * signature. A call of better-auth takes as long as the rest of a request. So a session is read
   * without better-auth, except once a minute to record its use.
   */
  readonly #signedTokens = new LRUCache<string, string>({ max: 10_000 });

  constructor(options: { db: Db; clock: Clock; loadLibrary: () => Promise<Library> }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#loadLibrary = options.loadLibrary;
  }

  /** Null unless this service signed the token and its session is still open. */
  async read(sessionToken: string): Promise<AuthSession | null> {
    const headers = cookieHeader(sessionToken);
    if (!headers) return null;
    const digest = createHash('sha256').update(sessionToken).digest('base64');
    return (await this.#readRecordedUse(digest)) ?? (await this.#readRecordingUse(digest, headers));
  }

  /** Every open session of the person, most recently used first. */
  async list(personId: string): Promise<OpenSession[]> {
    const { internalAdapter } = await this.#loadLibrary();
    const open = await internalAdapter.listSessions(personId, { onlyActiveSessions: true });
    return open
      .filter((session) => latestEnd(session) > this.#clock.now())
      .map((session) => ({
        sessionId: session.id,
        ip: session.ipAddress ?? null,
        userAgent: session.userAgent ?? null,
        createdAt: session.createdAt,
        lastUsedAt: session.updatedAt,
        expiresAt: endOf(session),
      }))
      .toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
  }

  /** Ends the session. If it has already ended, nothing happens. */
  async end(sessionToken: string): Promise<void> {
    const headers = cookieHeader(sessionToken);
    if (headers) await (await this.#loadLibrary()).api.signOut({ headers });
  }

  /** Reads a session whose token was checked before, and whose last use is recorded already. */
  async #readRecordedUse(digest: string): Promise<AuthSession | null> {
    const token = this.#signedTokens.get(digest);
    const stored = token === undefined ? null : await findSessionByToken(this.#db, token);
    if (!stored || !isUseRecorded(stored) || latestEnd(stored) <= this.#clock.now()) return null;
    return toAuthSession(stored);
  }

  async #readRecordingUse(digest: string, headers: Headers): Promise<AuthSession | null> {
    const { api, readSession } = await this.#loadLibrary();
    const found = await readSession(api.getSession({ headers }));
    if (!found) return null;
    const { session, user } = found;
    if (latestEnd(session) <= this.#clock.now()) {
      await api.signOut({ headers });
      return null;
    }
    this.#signedTokens.set(digest, session.token);
    return toAuthSession({
      sessionId: session.id,
      personId: user.id,
      personName: user.name,
      email: user.email,
      createdAt: session.createdAt,
      provedAt: session.provedAt ?? null,
      chosenAccountId: session.chosenAccountId ?? null,
      expiresAt: session.expiresAt,
    });
  }
}

function toAuthSession(stored: StoredSession): AuthSession {
  return {
    ...stored,
    provedAt: stored.provedAt ?? stored.createdAt,
    expiresAt: endOf(stored),
  };
}

/**
 * Null if the text cannot be one of our tokens, so that nothing else gets into the cookie header.
 */
function cookieHeader(sessionToken: string): Headers | null {
  if (!/^[\w.%-]{1,256}$/.test(sessionToken)) return null;
  return new Headers({ cookie: `${sessionCookieName}=${sessionToken}` });
}
