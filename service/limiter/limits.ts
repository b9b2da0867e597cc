import type { Config } from '../config/load-config.ts';
import type { SettingName } from '../config/settings.ts';
import { daySeconds, hourSeconds, minuteSeconds } from '#lib/durations.ts';

/** The settings that decide how much a limit allows. */
export type LimitConfig = Pick<
  Config,
  'rateLimitPerMinute' | 'accountRateLimitPerMinute' | 'creationsPerHour' | 'failedAuthPerMinute'
>;

type Limit = {
  /** What is counted. */
  counts: string;
  /** What each count belongs to. */
  per: string;
  windowSeconds: number;
  size: (config: LimitConfig) => number;
  setting?: SettingName;
  /** Its name in the headers `RateLimit` and `RateLimit-Policy`, if responses report it. */
  policy?: string;
};

const callsOfOneKeyPerAccount = 10;
const creationsOfOneKeyPerAccount = 5;
const passwordsPerMinute = () => 10;

/** Every limit that the limiter counts, by the name of its bucket. */
export const limits = {
  call: {
    counts: 'API calls, except signing out',
    per: 'API key, or person in the dashboard',
    windowSeconds: minuteSeconds,
    size: (config) => config.rateLimitPerMinute,
    setting: 'RATE_LIMIT_PER_MINUTE',
    policy: 'default',
  },
  'account-call': {
    counts: 'API calls with keys, except those that revoke or rotate keys or end tokens',
    per: 'account',
    windowSeconds: minuteSeconds,
    size: ({ accountRateLimitPerMinute, rateLimitPerMinute }) =>
      accountRateLimitPerMinute ?? callsOfOneKeyPerAccount * rateLimitPerMinute,
    setting: 'RATE_LIMIT_ACCOUNT_PER_MINUTE',
    policy: 'account',
  },
  'call-outside-networks': {
    counts: 'API calls with a key from outside its networks',
    per: 'API key and client address',
    windowSeconds: minuteSeconds,
    size: (config) => config.rateLimitPerMinute,
    setting: 'RATE_LIMIT_PER_MINUTE',
    policy: 'default',
  },
  creation: {
    counts: 'keys and webhooks created',
    per: 'API key, or person in the dashboard',
    windowSeconds: hourSeconds,
    size: (config) => config.creationsPerHour,
    setting: 'RATE_LIMIT_CREATIONS_PER_HOUR',
    policy: 'creations',
  },
  'account-creation': {
    counts: 'keys and webhooks created',
    per: 'account',
    windowSeconds: hourSeconds,
    size: (config) => creationsOfOneKeyPerAccount * config.creationsPerHour,
    setting: 'RATE_LIMIT_CREATIONS_PER_HOUR',
    policy: 'account-creations',
  },
  'failed-authentication': {
    counts: 'calls with a credential that is not valid',
    per: 'client address',
    windowSeconds: minuteSeconds,
    size: (config) => config.failedAuthPerMinute,
    setting: 'RATE_LIMIT_FAILED_AUTH_PER_MINUTE',
  },
  'webhook-test': {
    counts: 'test events',
    per: 'webhook',
    windowSeconds: minuteSeconds,
    size: () => 10,
    policy: 'tests',
  },
  'delivery-retry': {
    counts: 'requested retries',
    per: 'delivery',
    windowSeconds: minuteSeconds,
    size: () => 1,
    policy: 'retries',
  },
  'signature-check': {
    counts: 'signature checks',
    per: 'API key, or person in the dashboard',
    windowSeconds: minuteSeconds,
    size: () => 30,
    policy: 'signature-checks',
  },
  'filter-dry-run': {
    counts: 'dry runs of filters',
    per: 'API key, or person in the dashboard',
    windowSeconds: minuteSeconds,
    size: () => 60,
    policy: 'filter-dry-runs',
  },
  'audit-export': {
    counts: 'exports of the audit log',
    per: 'account',
    windowSeconds: hourSeconds,
    size: () => 20,
    policy: 'exports',
  },
  'sign-in-device': {
    counts: 'sign-in attempts from a known device',
    per: 'device',
    windowSeconds: minuteSeconds,
    size: passwordsPerMinute,
  },
  'sign-in-address': {
    counts: 'sign-in attempts from unknown devices',
    per: 'client address',
    windowSeconds: minuteSeconds,
    size: passwordsPerMinute,
  },
  'sign-in-email-address': {
    counts: 'failed sign-in attempts from unknown devices',
    per: 'email address and client address',
    windowSeconds: hourSeconds,
    size: () => 30,
  },
  'sign-in-email': {
    counts: 'failed sign-in attempts from unknown devices',
    per: 'email address',
    windowSeconds: hourSeconds,
    size: () => 100,
  },
  invitation: {
    counts: 'invitations created or renewed',
    per: 'account',
    windowSeconds: hourSeconds,
    size: () => 50,
  },
  'password-reset-address': {
    counts: 'requests for a link to reset a password',
    per: 'client address',
    windowSeconds: hourSeconds,
    size: () => 20,
  },
  'password-reset-email-address': {
    counts: 'links to reset a password that are sent; further requests send nothing',
    per: 'email address and client address',
    windowSeconds: hourSeconds,
    size: () => 5,
  },
  'password-reset-email': {
    counts: 'links to reset a password that are sent; further requests send nothing',
    per: 'email address',
    windowSeconds: hourSeconds,
    size: () => 10,
  },
  'email-change': {
    counts: 'requests to change an email address',
    per: 'person',
    windowSeconds: hourSeconds,
    size: () => 5,
  },
  'webhook-contact': {
    counts: 'addresses given as contact of a webhook',
    per: 'account',
    windowSeconds: hourSeconds,
    size: () => 20,
  },
  'link-address': {
    counts: 'checks and uses of links that were sent to a person',
    per: 'client address',
    windowSeconds: minuteSeconds,
    size: () => 30,
  },
  'expiry-notice': {
    counts: 'emails to the owners about the expiry of a key that a person asks for',
    per: 'API key',
    windowSeconds: daySeconds,
    size: () => 1,
  },
  'factor-reminder': {
    counts: 'reminders of a required second factor',
    per: 'member',
    windowSeconds: daySeconds,
    size: () => 1,
  },
  'account-search': {
    counts: 'searches for an account',
    per: 'person of installation support',
    windowSeconds: minuteSeconds,
    size: () => 60,
  },
  'desk-search': {
    counts: 'searches at the support desk',
    per: 'person',
    windowSeconds: minuteSeconds,
    size: () => 60,
  },
  'second-factor': {
    counts: 'wrong second factors',
    per: 'person',
    windowSeconds: hourSeconds,
    size: () => 20,
  },
  'passkey-challenge': {
    counts: 'challenges for passkeys',
    per: 'pending sign-in',
    windowSeconds: minuteSeconds,
    size: () => 20,
  },
  'new-device-mail': {
    counts: 'emails about a sign-in on an unknown device',
    per: 'person',
    windowSeconds: hourSeconds,
    size: () => 5,
  },
  'wrong-proof': {
    counts: 'wrong passwords and second factors within a session; 20 in a row end it',
    per: 'session',
    windowSeconds: hourSeconds,
    size: () => 10,
  },
  proof: {
    counts: 'proofs within a session, and changes of the password',
    per: 'person',
    windowSeconds: minuteSeconds,
    size: passwordsPerMinute,
  },
} as const satisfies Record<string, Limit>;

/** Limits that the database counts, because it stores the rows anyway. Sizes, and seconds. */
export const databaseLimits = {
  'leak-revocation': {
    counts: 'keys revoked because a request reported a leak',
    per: 'person',
    windowSeconds: daySeconds,
    size: 3,
  },
  'rotation-request-mail': {
    counts: 'emails about requests for one key or webhook',
    per: 'member',
    windowSeconds: daySeconds,
    size: 3,
  },
} as const satisfies Record<string, Omit<Limit, 'size'> & { size: number }>;

/** Calls a minute of all keys of an account together. No key's own limit is higher. */
export function accountCallsPerMinute(config: LimitConfig): number {
  return limits['account-call'].size(config);
}

/**
 * How many calls a minute a key may make. Its own limit is capped by the account's, even if the
 * operator lowered that later.
 *
 * @param ownLimit null for a key without its own limit
 */
export function keyCallsPerMinute(config: LimitConfig, ownLimit: number | null): number {
  if (ownLimit === null) return limits.call.size(config);
  return Math.min(ownLimit, accountCallsPerMinute(config));
}

export type LimitName = keyof typeof limits;

/** The limit of this name, with all its properties. */
export function limitOf(name: LimitName): Limit {
  return limits[name];
}
