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
import { isUseRecorded } from './session-use.ts';
import type { AuthLog } from './better-auth.ts';

const maxSeconds = 7 * 24 * 60 * 60;
const cookieName = 'session';

/** A session that is good now, and whose it is. */
type AuthSession = {
  sessionId: string;
  personId: string;
  personName: string;
  email: string;
  /** When it was opened, by password. */
  createdAt: Date;
  /** When the password was given last: then, or again since. */
  provedAt: Date;
  /** The account the person chose to work in; null if they did not. */
  chosenAccountId: string | null;
  /** When it ends if nothing more is done with it. */
  expiresAt: Date;
};

/** One of the sessions a person has open. Its token is not part of it. */
type OpenSession = {
  sessionId: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** To the minute. */
  lastUsedAt: Date;
  expiresAt: Date;
};

/** What a browser needs to keep to stay signed in. */
export type SessionCookie = { sessionToken: string; maxAgeSeconds: number };

type GivenPassword = {
  email: string;
  password: string;
  /** Whether they come from a known device, and so go before those who don't. */
  isKnownDevice?: boolean;
};

/**
 * Passwords and sessions, kept by better-auth.
 *
 * It has no HTTP surface here: its router is a second API of some sixty routes beside our
 * permissions and audit. These acts are all the service uses of it.
 *
 * Everything that hashes a password runs two at a time, and is refused with RATE_LIMIT_EXCEEDED
 * while too many wait.
 */
export type Auth = {
  /**
   * The id of the person whose email and password these are. Null for a wrong password and an
   * unknown email alike, after the same queries and the same hash. `email` is in lower case, as it
   * is stored.
   */
  findByPassword(input: GivenPassword): Promise<string | null>;
  /** Opens a session for somebody who proved who they are. */
  openSession(input: {
    personId: string;
    ip: string;
    userAgent: string | null;
  }): Promise<SessionCookie>;
  /** Null unless the token is one this service signed and its session is still open. */
  session(sessionToken: string): Promise<AuthSession | null>;
  /** A fresh value for the `token` of a stored session. */
  newStoredToken(): Promise<string>;
  /** The session token of a stored session, and for how long it can be of use. Makes no query. */
  cookieOf(session: { token: string; createdAt: Date }): Promise<SessionCookie>;
  /** Every session the person has open, the latest used first. */
  listSessions(personId: string): Promise<OpenSession[]>;
  /** Ends the session; one that has ended already is no error. */
  signOut(sessionToken: string): Promise<void>;
  /** For storing: salted scrypt. As `verifyPassword`, for those who are let in already: they go first. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>;
  /** Loads the library, for which the first call would wait otherwise. */
  prepare(): Promise<void>;
};

/**
 * Sessions end after 12 hours without use (by the system's time, which better-auth reads itself)
 * and 7 days after the password was given (by `clock`). The session token is better-auth's cookie
 * value: a random token and its HMAC under `secret`.
 *
 * Nothing here may be called inside a transaction: better-auth queries through `db` itself.
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
  // By digest of the session token: the stored token in each whose signature better-auth has checked.
  // Asking better-auth takes as long as all else of a call. So a session is read without it, but once
  // a minute to record that it is used.
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
      // Asked also where there is nobody, so that both take as long.
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

/** Null for what cannot be a token of ours, so that nothing else gets into the cookie header. */
function cookieHeader(sessionToken: string): Headers | null {
  if (!/^[\w.%-]{1,256}$/.test(sessionToken)) return null;
  return new Headers({ cookie: `${cookieName}=${sessionToken}` });
}

/** Browsers send ASCII here, and nothing else is worth keeping. */
function plainAgent(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 512);
}
