import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/open.ts';
import type { AuthLog } from './better-auth.ts';
import { HashingQueue } from './hashing-queue.ts';
import { libraryLoader } from './load-library.ts';
import { scryptHashing } from './password.ts';
import type { PasswordHashing } from './password.ts';
import { latestEnd } from './session-lifetime.ts';
import { SessionReader } from './session-reader.ts';
import type { AuthSession, OpenSession } from './session-reader.ts';

/** What a browser stores to stay signed in. */
export type SessionCookie = { sessionToken: string; maxAgeSeconds: number };

type GivenPassword = {
  email: string;
  password: string;
  /** Whether the request comes from a known device. Such requests are served first. */
  isKnownDevice?: boolean;
};

/**
 * Passwords and sessions, stored by better-auth.
 *
 * better-auth has no HTTP surface here: its router would be a second API of some sixty routes
 * without our permissions and audit log. The service uses it only through these functions.
 *
 * At most two functions that hash a password run at a time. Further calls wait; if too many wait
 * already, they are refused with RATE_LIMIT_EXCEEDED.
 */
export type Auth = {
  /**
   * The id of the person with this email and password. Null for a wrong password and for an unknown
   * email, after the same queries and the same hash. `email` must be in lower case, as it is
   * stored.
   */
  findByPassword(input: GivenPassword): Promise<string | null>;
  /** Opens a session for a person who has proved who they are. */
  openSession(input: {
    personId: string;
    ip: string;
    userAgent: string | null;
  }): Promise<SessionCookie>;
  /** Null unless this service signed the token and its session is still open. */
  session(sessionToken: string): Promise<AuthSession | null>;
  /** A new random value for the `token` of a stored session. */
  newStoredToken(): Promise<string>;
  /** The session token of a stored session, and how long it can be used at most. Makes no query. */
  cookieOf(session: { token: string; createdAt: Date }): Promise<SessionCookie>;
  /** Every open session of the person, most recently used first. */
  listSessions(personId: string): Promise<OpenSession[]>;
  /** Ends the session. If it has already ended, nothing happens. */
  signOut(sessionToken: string): Promise<void>;
  /**
   * Returns a salted scrypt hash for storing. Like `verifyPassword`, it is for people who already
   * have access, so it is served first.
   */
  hashPassword(password: string): Promise<string>;
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>;
  /** Loads the library, so that the first call need not wait for it. */
  prepare(): Promise<void>;
};

/**
 * Sessions end after 12 hours without use (by the system's time, which better-auth reads itself)
 * and 7 days after they were opened (by `clock`). The session token is better-auth's cookie value:
 * a random token and its HMAC under `secret`.
 *
 * Do not call these functions inside a transaction: better-auth makes its queries through `db`
 * itself.
 */
export function createAuth(options: {
  db: Db;
  publicUrl: URL;
  secret: string;
  clock?: Clock;
  log: AuthLog;
  hashing?: HashingQueue;
  passwords?: PasswordHashing;
}): Auth {
  const { clock = systemClock, hashing = new HashingQueue(), passwords = scryptHashing } = options;
  const { db, publicUrl, secret, log } = options;
  const loadLibrary = libraryLoader({ db, publicUrl, secret, log });
  const reader = new SessionReader({ db, clock, loadLibrary });

  async function cookieOf({ token, createdAt }: { token: string; createdAt: Date }) {
    const { sign, secret: signingSecret } = await loadLibrary();
    const left = latestEnd({ createdAt }).getTime() - clock.now().getTime();
    return {
      sessionToken: encodeURIComponent(`${token}.${await sign(token, signingSecret)}`),
      maxAgeSeconds: Math.max(0, Math.floor(left / 1000)),
    };
  }

  return {
    async findByPassword({ email, password, isKnownDevice = false }) {
      const { internalAdapter } = await loadLibrary();
      const person = (await internalAdapter.findUserByEmail(email))?.user ?? null;
      // This query is made for unknown emails too, so that both cases take equally long.
      const personId = person?.id ?? crypto.randomUUID();
      const hash = (await internalAdapter.findCredentialAccount(personId))?.password ?? null;
      const isRight = await hashing.run({ isKnownDevice }, () =>
        passwords.verifyPassword({ hash, password }),
      );
      return person && isRight ? person.id : null;
    },

    async openSession({ personId, ip, userAgent }) {
      const { internalAdapter } = await loadLibrary();
      const overrides = {
        createdAt: clock.now(),
        ipAddress: ip,
        userAgent: userAgent && plainAgent(userAgent),
      };
      const session = await internalAdapter.createSession(personId, false, overrides, true);
      return await cookieOf({ token: session.token, createdAt: overrides.createdAt });
    },

    session: (sessionToken) => reader.read(sessionToken),
    newStoredToken: async () => (await loadLibrary()).newStoredToken(),
    cookieOf,
    listSessions: (personId) => reader.list(personId),
    signOut: (sessionToken) => reader.end(sessionToken),

    hashPassword: (password) =>
      hashing.run({ isKnownDevice: true }, () => passwords.hashPassword(password)),
    verifyPassword: (input) =>
      hashing.run({ isKnownDevice: true }, () => passwords.verifyPassword(input)),
    prepare: async () => void (await loadLibrary()),
  };
}

/** Browsers send only ASCII here, so other characters are dropped. */
function plainAgent(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 512);
}
