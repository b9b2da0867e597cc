import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { APIError } from 'better-auth/api';
import { generateRandomString, makeSignature } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import type { Db } from '../db/open.ts';
import { credentials, verifications } from '../db/schema/people/credentials.ts';
import { people } from '../db/schema/people/people.ts';
import { sessions } from '../db/schema/people/sessions.ts';
import { ServiceError } from '../domain/errors.ts';
import { recordUseSeconds } from './is-use-recorded.ts';
import { idleSeconds } from './session-lifetime.ts';

/** Receives better-auth's own errors, because it responds to callers with a bare 500. */
export type AuthLog = { error(details: object, message: string): void };

/**
 * The parts of the library that the service uses. It is loaded with the first call, because it
 * takes much memory.
 */
export function createBetterAuth(options: {
  db: Db;
  publicUrl: URL;
  secret: string;
  cookieName: string;
  log: AuthLog;
}) {
  const { db, publicUrl, secret, cookieName, log } = options;
  const { api, $context } = betterAuth({
    baseURL: publicUrl.origin,
    // With only `secret`, an environment variable BETTER_AUTH_SECRETS would take precedence.
    secrets: [{ version: 1, value: secret }],
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: {
        user: people,
        session: sessions,
        account: credentials,
        verification: verifications,
      },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
    },
    session: {
      expiresIn: idleSeconds,
      updateAge: recordUseSeconds,
      cookieCache: { enabled: false },
      // Our own columns, which better-auth only has to read.
      additionalFields: {
        provedAt: { type: 'date', required: false, input: false },
        chosenAccountId: { type: 'string', required: false, input: false },
      },
    },
    advanced: {
      // The dashboard sets the browser's cookie; this one is only passed between these functions.
      cookies: { session_token: { name: cookieName } },
      useSecureCookies: false,
      // Not better-auth's own 'uuid', which leaves ids to a default of the column.
      database: { generateId: () => crypto.randomUUID() },
      // better-auth would shorten IPv6 addresses to their network; `openSession` stores the full
      // address.
      ipAddress: { disableIpTracking: true },
    },
    // Sign-in has its own limits; this one counts HTTP requests, and there are none.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        log.error({ err: causeIn(details) }, `better-auth: ${message}`),
    },
  });
  return {
    api,
    context: $context,
    sign: makeSignature,
    newStoredToken: () => generateRandomString(32, 'a-z', 'A-Z', '0-9'),
  };
}

/**
 * The error of the driver. Drizzle's error around it has a message that repeats every parameter of
 * the query.
 */
function causeIn(details: readonly unknown[]): unknown {
  const error = details.find((detail) => detail instanceof Error);
  return error?.cause ?? error;
}

/**
 * Returns null if somebody else ends the session while it is read, which is not a failure. If the
 * read itself fails, better-auth logs the cause and hides it. The read is a query, so the database
 * is unavailable then.
 */
export async function readSession<Found>(response: Promise<Found>): Promise<Found | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof APIError && error.statusCode === 401) return null;
    if (error instanceof APIError) throw new ServiceError('UNAVAILABLE');
    throw error;
  }
}
