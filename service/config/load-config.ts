import { resolve } from 'node:path';
import { processRoles } from '#lib/contract/support-desk/installation-status.ts';
import type { AccessLogChoice } from '../log/access-log.ts';
import type { LogLevel } from '../log/log.ts';
import { StartError } from '../start-error.ts';
import { isSet, readVariable } from './environment.ts';
import type { MailSender } from './formats.ts';
import type { Environment, Problem } from './environment.ts';
import { describeMisspelled, findMisspelledSettings } from './misspelled-settings.ts';
import type { MisspelledSetting } from './misspelled-settings.ts';
import { settings } from './settings.ts';
import type { SettingName, Settings } from './settings.ts';

export type Config = {
  port: number;
  host: string;
  /** For how many seconds a connection stays open between two requests. */
  keepAliveSeconds: number;
  /** Where people and clients reach the service; only the origin is used. */
  publicUrl: URL;
  trustedProxies: readonly string[];
  dataDir: string;
  /** The PostgreSQL server; null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  migrationDatabaseUrl: string | null;
  /** Whether frequent statements stay prepared on PostgreSQL connections. */
  databasePrepare: boolean;
  redisUrl: string | null;
  redisTimeoutMs: number;
  /** Null: the key is stored in `dataDir`, and created at the first start. */
  secretKey: Buffer | null;
  secretKeyPrevious: Buffer | null;
  roles: Settings['ROLES'];
  /** The address of this process on its own machine. */
  ownUrl: URL;
  /** The address at which the server side of the dashboard calls the API. */
  apiBaseUrl: URL;
  /** Null: it is created in memory at the start, and passed to the process that renders pages. */
  dashboardCredential: string | null;
  init: {
    adminEmail: string | null;
    adminPassword: string | null;
    accountName: string | null;
    apiKey: string | null;
  };
  rateLimitPerMinute: number;
  /** Calls a minute of all keys of an account together. Null: ten times the limit of one key. */
  accountRateLimitPerMinute: number | null;
  /** Keys and webhooks that a key or person may create per hour; an account, five times as many. */
  creationsPerHour: number;
  failedAuthPerMinute: number;
  /** Active keys that an account can have, unless the account has its own quota. */
  maxKeys: number;
  /** Webhooks that an account can have, unless the account has its own quota. */
  maxWebhooks: number;
  rotationGraceSeconds: number;
  /** For how many seconds a proof is fresh. */
  proofMaxAgeSeconds: number;
  webhookAllowHttp: boolean;
  webhookAllowedCidrs: readonly string[];
  /** The proxy through which webhooks are called. It decides which addresses may be reached. */
  webhookProxy: URL | null;
  /** The most sockets that a worker opens to webhooks at the same time. */
  webhookMaxSockets: number;
  /** How many days events are kept, with their deliveries and attempts. */
  retentionDays: number;
  auditRetentionDays: number;
  /** Null: emails are written to `dataDir`/outbox. */
  smtpUrl: string | null;
  /** The sender of emails. */
  mailFrom: MailSender;
  metricsToken: string | null;
  /** Where traces are sent; null: none are recorded. */
  tracing: {
    endpoint: URL;
    headers: Readonly<Record<string, string>>;
    serviceName: string;
    /** The share of traces that are recorded, from 0 to 1. */
    sampleRatio: number;
  } | null;
  /** Whether receivers get a `traceparent`. */
  webhookTraceparent: boolean;
  logLevel: LogLevel;
  logAccess: AccessLogChoice;
  /** The files that contain settings, given as `NAME_FILE`. */
  settingFiles: readonly string[];
};

/** All mistakes in the environment, and likely misspellings: variables, never their values. */
export class ConfigError extends StartError {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], misspelled: readonly MisspelledSetting[]) {
    const lines = [
      ...problems.map(({ variable, reason }) => `  ${variable} ${reason}`),
      ...misspelled.map((found) => `  ${describeMisspelled(found)}`),
    ];
    super(['The configuration is wrong:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the configuration from the environment.
 * @throws ConfigError
 */
export function loadConfig(environment: Environment): Config {
  const { texts, problems } = readVariables(environment);
  const parsed = settings.safeParse(texts);
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems.push({ variable: String(path[0]), reason: message });
  }
  const roles = settings.shape.ROLES.safeParse(texts.ROLES).data ?? new Set(processRoles);
  problems.push(...findContradictions(roles, (name) => isSet(environment, name)));
  if (isSameKey(texts)) {
    const reason =
      'is the same key as SECRET_KEY. To replace the key, set SECRET_KEY to a new one.';
    problems.push({ variable: 'SECRET_KEY_PREVIOUS', reason });
  }
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(problems, findMisspelledSettings(environment));
  }
  return toConfig(parsed.data, findFiles(environment));
}

type Texts = Partial<Record<SettingName, string>>;

function readVariables(environment: Environment): { texts: Texts; problems: Problem[] } {
  const texts: Texts = {};
  const problems: Problem[] = [];
  for (const name of settings.keyof().options) {
    const found = readVariable(environment, name);
    if ('reason' in found) problems.push(found);
    else if (found.text !== undefined) texts[name] = found.text;
  }
  return { texts, problems };
}

function findFiles(environment: Environment): string[] {
  return settings.keyof().options.flatMap((name) => environment[`${name}_FILE`] || []);
}

/** Compares the keys, not their texts: base64 of 32 bytes has bits that decoders ignore. */
function isSameKey(texts: Texts): boolean {
  const key = settings.shape.SECRET_KEY.safeParse(texts.SECRET_KEY).data;
  const previous = settings.shape.SECRET_KEY_PREVIOUS.safeParse(texts.SECRET_KEY_PREVIOUS).data;
  return key && previous ? key.equals(previous) : false;
}

function toConfig(given: Settings, settingFiles: readonly string[]): Config {
  const publicUrl = given.PUBLIC_URL ?? new URL(`http://localhost:${given.PORT}`);
  const ownUrl = urlOf(given.HOST, given.PORT);
  return {
    port: given.PORT,
    host: given.HOST,
    keepAliveSeconds: given.KEEP_ALIVE_SECONDS,
    publicUrl,
    trustedProxies: given.TRUSTED_PROXIES,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    migrationDatabaseUrl: given.MIGRATION_DATABASE_URL,
    databasePrepare: given.DATABASE_PREPARE === 'on',
    redisUrl: given.REDIS_URL,
    redisTimeoutMs: given.REDIS_TIMEOUT_MS,
    secretKey: given.SECRET_KEY,
    secretKeyPrevious: given.SECRET_KEY_PREVIOUS,
    roles: given.ROLES,
    ownUrl,
    apiBaseUrl: given.API_BASE_URL ?? ownUrl,
    dashboardCredential: given.DASHBOARD_CREDENTIAL,
    init: {
      adminEmail: given.INIT_ADMIN_EMAIL,
      adminPassword: given.INIT_ADMIN_PASSWORD,
      accountName: given.INIT_ACCOUNT_NAME,
      apiKey: given.INIT_API_KEY,
    },
    rateLimitPerMinute: given.RATE_LIMIT_PER_MINUTE,
    accountRateLimitPerMinute: given.RATE_LIMIT_ACCOUNT_PER_MINUTE,
    creationsPerHour: given.RATE_LIMIT_CREATIONS_PER_HOUR,
    failedAuthPerMinute: given.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
    maxKeys: given.MAX_KEYS,
    maxWebhooks: given.MAX_WEBHOOKS,
    rotationGraceSeconds: given.ROTATION_GRACE_SECONDS,
    proofMaxAgeSeconds: given.REAUTH_SECONDS,
    webhookAllowHttp: given.WEBHOOK_ALLOW_HTTP,
    webhookAllowedCidrs: given.WEBHOOK_ALLOWED_CIDRS,
    webhookProxy: given.WEBHOOK_PROXY,
    webhookMaxSockets: given.WEBHOOK_MAX_SOCKETS,
    retentionDays: given.RETENTION_DAYS,
    auditRetentionDays: given.AUDIT_RETENTION_DAYS,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? { name: '', address: `no-reply@${publicUrl.hostname}` },
    metricsToken: given.METRICS_TOKEN,
    tracing: given.OTEL_EXPORTER_OTLP_ENDPOINT && {
      endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: given.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: given.OTEL_SERVICE_NAME,
      sampleRatio: given.OTEL_TRACES_SAMPLER_ARG,
    },
    webhookTraceparent: given.WEBHOOK_TRACEPARENT,
    logLevel: given.LOG_LEVEL,
    logAccess: given.LOG_ACCESS,
    settingFiles,
  };
}

/** Problems of settings that are valid by themselves but not together. */
function findContradictions(
  roles: Settings['ROLES'],
  given: (name: SettingName) => boolean,
): Problem[] {
  const isWebAlone = roles.size === 1 && roles.has('web');
  const problems: Problem[] = [];
  const refuse = (variable: SettingName, reason: string) => problems.push({ variable, reason });

  if (roles.size < processRoles.length && !isWebAlone && !given('DATABASE_URL')) {
    refuse(
      'ROLES',
      'splits the service over processes, which needs DATABASE_URL: only one process can use the embedded database.',
    );
  }
  if (given('DATABASE_URL') && !isWebAlone && !given('SECRET_KEY')) {
    refuse('SECRET_KEY', 'is required with DATABASE_URL. Make one: openssl rand -base64 32');
  }
  if (given('SECRET_KEY_PREVIOUS') && !given('SECRET_KEY')) {
    refuse('SECRET_KEY_PREVIOUS', 'can only be used together with SECRET_KEY.');
  }
  if (given('MIGRATION_DATABASE_URL') && !given('DATABASE_URL')) {
    refuse('MIGRATION_DATABASE_URL', 'can only be used together with DATABASE_URL.');
  }
  if (roles.has('web') && !roles.has('api')) {
    for (const name of ['API_BASE_URL', 'DASHBOARD_CREDENTIAL'] as const) {
      if (!given(name)) refuse(name, 'is required if ROLES contains web but not api.');
    }
  }
  return [...problems, ...findIncompleteOwner(given)];
}

function findIncompleteOwner(given: (name: SettingName) => boolean): Problem[] {
  const hasEmail = given('INIT_ADMIN_EMAIL');
  const hasPassword = given('INIT_ADMIN_PASSWORD');
  if (hasEmail && hasPassword) return [];
  if (hasEmail || hasPassword) {
    const missing = hasEmail ? 'INIT_ADMIN_PASSWORD' : 'INIT_ADMIN_EMAIL';
    const reason = 'is missing. Set both INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD, or neither.';
    return [{ variable: missing, reason }];
  }
  return (['INIT_ACCOUNT_NAME', 'INIT_API_KEY'] as const).filter(given).map((variable) => ({
    variable,
    reason: 'needs INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD, because every account has an owner.',
  }));
}

/** The address of our own API for the dashboard in the same process. */
function urlOf(host: string, port: number): URL {
  if (host === '0.0.0.0') return new URL(`http://127.0.0.1:${port}`);
  if (host === '::') return new URL(`http://[::1]:${port}`);
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}
