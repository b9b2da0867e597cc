import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { findSessionByToken } from '../db/stored-session.ts';
import type { StoredSession } from '../db/stored-session.ts';
import { HashingQueue } from './hashing-queue.ts';
import { scryptHashing } from './password.ts';
import type { PasswordHashing } from './password.ts';
import { isUseRecorded } from './is-use-recorded.ts';
import type { AuthLog } from './better-auth.ts';
import { daySeconds } from '#lib/durations.ts';

const maxSeconds = 7 * daySeconds;
const cookieName = 'session';

/** A valid session and its person. */
type AuthSession = {
  sessionId: string;
  personId: string;
  personName: string;
  email: string;
  /** When it was opened, with the password. */
  createdAt: Date;
  /** When the person last gave the password: when it was opened, or later. */
  provedAt: Date;
  /** The account that the person chose to work in; null if they chose none. */
  chosenAccountId: string | null;
  /** When it ends if it is not used again. */
  expiresAt: Date;
};

/** One of the open sessions of a person, without its token. */
type OpenSession = {
  sessionId: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Rounded to the minute. */
  lastUsedAt: Date;
  expiresAt: Date;
};

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
  // Maps the digest of a session token to the stored token in it, once better-auth has checked the
  // signature. A call of better-auth takes as long as the rest of a request. So a session is read
  // without better-auth, except once a minute to record its use.
  const signedTokens = new LRUCache<string, string>({ max: 10_000 });
  let loading: ReturnType<typeof load> | null = null;
  const library = async () => await (loading ??= load());

  async function load() {
    const { createBetterAuth, readSession } = await import('./better-auth.ts');
    const { context, ...functions } = createBetterAuth({ ...options, cookieName });
    const { internalAdapter, secret } = await context;
    return { ...functions, internalAdapter, secret, readSession };
  }

  async function cookieOf({ token, createdAt }: { token: string; createdAt: Date }) {
    const { secret, sign } = await library();
    const left = latestEnd({ createdAt }).getTime() - clock.now().getTime();
    return {
      sessionToken: encodeURIComponent(`${token}.${await sign(token, secret)}`),
      maxAgeSeconds: Math.max(0, Math.floor(left / 1000)),
    };
  }

  return {
    async findByPassword({ email, password, isKnownDevice = false }) {
      const { internalAdapter } = await library();
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
      const { internalAdapter } = await library();
      const overrides = {
        createdAt: clock.now(),
        ipAddress: ip,
        userAgent: userAgent && plainAgent(userAgent),
      };
      const session = await internalAdapter.createSession(personId, false, overrides, true);
      return await cookieOf({ token: session.token, createdAt: overrides.createdAt });
    },

    async session(sessionToken) {
      const headers = cookieHeader(sessionToken);
      if (!headers) return null;
      const name = createHash('sha256').update(sessionToken).digest('base64');
      const known = signedTokens.get(name);
      const stored = known === undefined ? null : await findSessionByToken(options.db, known);
      if (stored && isUseRecorded(stored) && latestEnd(stored) > clock.now()) {
        return describe(stored);
      }

      const { api, readSession } = await library();
      const found = await readSession(api.getSession({ headers }));
      if (!found) return null;
      const { session, user } = found;
      if (latestEnd(session) <= clock.now()) {
        await api.signOut({ headers });
        return null;
      }
      signedTokens.set(name, session.token);
      return describe({
        sessionId: session.id,
        personId: user.id,
        personName: user.name,
        email: user.email,
        createdAt: session.createdAt,
        provedAt: session.provedAt ?? null,
        chosenAccountId: session.chosenAccountId ?? null,
        expiresAt: session.expiresAt,
      });
    },

    newStoredToken: async () => (await library()).newStoredToken(),
    cookieOf,

    async listSessions(personId) {
      const { internalAdapter } = await library();
      const open = await internalAdapter.listSessions(personId, { onlyActiveSessions: true });
      return open
        .map((session) => ({ session, latest: latestEnd(session) }))
        .filter(({ latest }) => latest > clock.now())
        .map(({ session, latest }) => ({
          sessionId: session.id,
          ip: session.ipAddress ?? null,
          userAgent: session.userAgent ?? null,
          createdAt: session.createdAt,
          lastUsedAt: session.updatedAt,
          expiresAt: session.expiresAt < latest ? session.expiresAt : latest,
        }))
        .toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
    },

    async signOut(sessionToken) {
      const headers = cookieHeader(sessionToken);
      if (headers) await (await library()).api.signOut({ headers });
    },

    hashPassword: (password) =>
      hashing.run({ isKnownDevice: true }, () => passwords.hashPassword(password)),
    verifyPassword: (input) =>
      hashing.run({ isKnownDevice: true }, () => passwords.verifyPassword(input)),
    prepare: async () => void (await library()),
  };
}

function describe(stored: StoredSession): AuthSession {
  const latest = latestEnd(stored);
  return {
    ...stored,
    provedAt: stored.provedAt ?? stored.createdAt,
    expiresAt: stored.expiresAt < latest ? stored.expiresAt : latest,
  };
}

/** Maximum age of a session, regardless of activity. */
function latestEnd({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + maxSeconds * 1000);
}

/**
 * Null if the text cannot be one of our tokens, so that nothing else gets into the cookie header.
 */
function cookieHeader(sessionToken: string): Headers | null {
  if (!/^[\w.%-]{1,256}$/.test(sessionToken)) return null;
  return new Headers({ cookie: `${cookieName}=${sessionToken}` });
}

/** Browsers send only ASCII here, so other characters are dropped. */
function plainAgent(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 512);
}
