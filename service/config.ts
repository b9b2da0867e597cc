import { resolve } from 'node:path';
import type { z } from 'zod';
import { setUpInput } from '#lib/contract/dashboard.ts';
import { isWellFormedToken } from './domain/api-keys/token.ts';
import { EnvironmentReader } from './environment.ts';
import type { Environment, Parse, Problem } from './environment.ts';
import { logLevels } from './log.ts';
import type { LogLevel } from './log.ts';
import { canonicalNetwork, isLoopbackHost } from './networks.ts';
import { StartError } from './start-error.ts';

const processRoles = ['api', 'worker', 'web'] as const;

/** A part of the product that a process may run. One process runs all three unless told otherwise. */
type ProcessRole = (typeof processRoles)[number];

export type Config = {
  port: number;
  host: string;
  /** Where people and clients reach the service; only its origin counts. */
  publicUrl: URL;
  trustedProxies: readonly string[];
  dataDir: string;
  /** Null: the embedded database under `dataDir`. */
  databaseUrl: string | null;
  migrationDatabaseUrl: string | null;
  redisUrl: string | null;
  /** Null: kept in `dataDir`, made at the first start. */
  secretKey: Buffer | null;
  secretKeyPrevious: Buffer | null;
  roles: ReadonlySet<ProcessRole>;
  /** Where the dashboard's server side calls the API. */
  apiBaseUrl: URL;
  /** Null: made in memory, for the dashboard in the same process. */
  dashboardCredential: string | null;
  init: {
    adminEmail: string | null;
    adminPassword: string | null;
    accountName: string | null;
    apiKey: string | null;
  };
  rateLimitPerMinute: number;
  /** What all keys of an account may call together. Null: ten times what one may. */
  accountRateLimitPerMinute: number | null;
  /** Keys and webhooks that a key or person may create; an account may create five times as many. */
  creationsPerHour: number;
  failedAuthPerMinute: number;
  rotationGraceSeconds: number;
  /** How long after giving the password a person may do what needs fresh proof. */
  sudoSeconds: number;
  webhookAllowHttp: boolean;
  webhookAllowedCidrs: readonly string[];
  /** The proxy through which webhooks are called. It decides then what may be reached. */
  webhookProxy: URL | null;
  /** Sockets that a worker opens to webhooks at once. */
  webhookMaxSockets: number;
  /** How long events are kept with their deliveries and attempts. */
  retentionDays: number;
  auditRetentionDays: number;
  /** Null: mails are written to `dataDir`/outbox. */
  smtpUrl: string | null;
  /** Whom mails come from. */
  mailFrom: string;
  metricsToken: string | null;
  logLevel: LogLevel;
};

/** Every mistake of the environment at once, each naming its variable and none its value. */
export class ConfigError extends StartError {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ variable, reason }) => `  ${variable} ${reason}`);
    super(['The configuration is wrong:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/**
 * The configuration an environment asks for.
 * @throws ConfigError
 */
export function loadConfig(environment: Environment): Config {
  const read = new EnvironmentReader(environment);
  const port = read.withDefault('PORT', integer(1, 65_535), 3000);
  const host = read.withDefault('HOST', hostName, '127.0.0.1');
  const origin = read.withDefault('PUBLIC_URL', publicUrl, new URL(`http://localhost:${port}`));
  const config: Config = {
    port,
    host,
    publicUrl: origin,
    trustedProxies: read.withDefault('TRUSTED_PROXIES', networks, []),
    dataDir: resolve(read.withDefault('DATA_DIR', text, './data')),
    databaseUrl: read.optional('DATABASE_URL', urlOf('postgres:', 'postgresql:')),
    migrationDatabaseUrl: read.optional(
      'MIGRATION_DATABASE_URL',
      urlOf('postgres:', 'postgresql:'),
    ),
    redisUrl: read.optional('REDIS_URL', urlOf('redis:', 'rediss:')),
    secretKey: read.optional('SECRET_KEY', key),
    secretKeyPrevious: read.optional('SECRET_KEY_PREVIOUS', key),
    roles: read.withDefault('ROLES', roleSet, new Set(processRoles)),
    apiBaseUrl: read.withDefault('API_BASE_URL', httpUrl, ownUrl(host, port)),
    dashboardCredential: read.optional('DASHBOARD_CREDENTIAL', token),
    init: {
      adminEmail: read.optional('INIT_ADMIN_EMAIL', asInForm(setUpInput.shape.email)),
      adminPassword: read.optional('INIT_ADMIN_PASSWORD', asInForm(setUpInput.shape.password)),
      accountName: read.optional('INIT_ACCOUNT_NAME', asInForm(setUpInput.shape.account_name)),
      apiKey: read.optional('INIT_API_KEY', token),
    },
    rateLimitPerMinute: read.withDefault('RATE_LIMIT_PER_MINUTE', integer(1, 1_000_000), 600),
    accountRateLimitPerMinute: read.optional(
      'RATE_LIMIT_ACCOUNT_PER_MINUTE',
      integer(1, 10_000_000),
    ),
    creationsPerHour: read.withDefault('RATE_LIMIT_CREATIONS_PER_HOUR', integer(1, 1_000_000), 60),
    failedAuthPerMinute: read.withDefault(
      'RATE_LIMIT_FAILED_AUTH_PER_MINUTE',
      integer(1, 1_000_000),
      60,
    ),
    rotationGraceSeconds: read.withDefault('ROTATION_GRACE_SECONDS', integer(0, 604_800), 86_400),
    sudoSeconds: read.withDefault('SUDO_SECONDS', integer(1, 43_200), 1800),
    webhookAllowHttp: read.withDefault('WEBHOOK_ALLOW_HTTP', flag, false),
    webhookAllowedCidrs: read.withDefault('WEBHOOK_ALLOWED_CIDRS', networks, []),
    webhookProxy: read.optional('WEBHOOK_PROXY', proxyUrl),
    webhookMaxSockets: read.withDefault('WEBHOOK_MAX_SOCKETS', integer(16, 1_000_000), 2048),
    retentionDays: read.withDefault('RETENTION_DAYS', integer(1, 3650), 30),
    auditRetentionDays: read.withDefault('AUDIT_RETENTION_DAYS', integer(1, 3650), 400),
    smtpUrl: read.optional('SMTP_URL', urlOf('smtp:', 'smtps:')),
    mailFrom: read.withDefault('MAIL_FROM', mailAddress, `no-reply@${origin.hostname}`),
    metricsToken: read.optional('METRICS_TOKEN', metricsToken),
    logLevel: read.withDefault('LOG_LEVEL', oneOf(logLevels), 'info'),
  };
  refuseContradictions(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
}

/** What no variable shows alone. */
function refuseContradictions(read: EnvironmentReader, config: Config): void {
  const { databaseUrl, roles } = config;
  const isWebAlone = roles.size === 1 && roles.has('web');

  if (roles.size < processRoles.length && !isWebAlone && !read.isSet('DATABASE_URL')) {
    read.refuse(
      'ROLES',
      'splits the service over processes, which needs DATABASE_URL: the embedded database serves one process.',
    );
  }
  if (databaseUrl !== null && !isWebAlone && !read.isSet('SECRET_KEY')) {
    read.refuse('SECRET_KEY', 'is required with DATABASE_URL. Make one: openssl rand -base64 32');
  }
  if (read.isSet('SECRET_KEY_PREVIOUS') && !read.isSet('SECRET_KEY')) {
    read.refuse('SECRET_KEY_PREVIOUS', 'has a meaning only beside SECRET_KEY.');
  }
  if (read.isSet('MIGRATION_DATABASE_URL') && !read.isSet('DATABASE_URL')) {
    read.refuse('MIGRATION_DATABASE_URL', 'has a meaning only beside DATABASE_URL.');
  }
  if (roles.has('web') && !roles.has('api')) {
    for (const name of ['API_BASE_URL', 'DASHBOARD_CREDENTIAL']) {
      if (!read.isSet(name)) read.refuse(name, 'is required where ROLES has web without api.');
    }
  }
  refuseHalfAnAdmin(read);
}

function refuseHalfAnAdmin(read: EnvironmentReader): void {
  const hasEmail = read.isSet('INIT_ADMIN_EMAIL');
  const hasPassword = read.isSet('INIT_ADMIN_PASSWORD');
  if (hasEmail !== hasPassword) {
    const missing = hasEmail ? 'INIT_ADMIN_PASSWORD' : 'INIT_ADMIN_EMAIL';
    read.refuse(missing, 'is missing: INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD belong together.');
  }
  for (const name of ['INIT_ACCOUNT_NAME', 'INIT_API_KEY']) {
    if (read.isSet(name) && !hasEmail && !hasPassword) {
      read.refuse(
        name,
        'needs INIT_ADMIN_EMAIL and INIT_ADMIN_PASSWORD: the account has an owner.',
      );
    }
  }
}

/** Our own API as the dashboard in the same process reaches it. */
function ownUrl(host: string, port: number): URL {
  if (host === '0.0.0.0') return new URL(`http://127.0.0.1:${port}`);
  if (host === '::') return new URL(`http://[::1]:${port}`);
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
}

const text: Parse<string> = (value) => ({ value });

const hostName: Parse<string> = (value) => {
  const bare = value.replace(/^\[(.*)\]$/, '$1');
  const isHost = /^[A-Za-z0-9.-]+$/.test(bare) || canonicalNetwork(bare) !== null;
  return isHost ? { value: bare } : { reason: 'is neither an address nor a host name.' };
};

function integer(lowest: number, highest: number): Parse<number> {
  return (value) => {
    const number = Number(value);
    const isRight = /^\d+$/.test(value) && number >= lowest && number <= highest;
    return isRight
      ? { value: number }
      : { reason: `is no whole number from ${lowest} to ${highest}.` };
  };
}

const flag: Parse<boolean> = (value) =>
  value === 'true' || value === 'false'
    ? { value: value === 'true' }
    : { reason: 'is neither true nor false.' };

function oneOf<Word extends string>(words: readonly Word[]): Parse<Word> {
  return (value) => {
    const word = words.find((candidate) => candidate === value);
    return word === undefined ? { reason: `is none of: ${words.join(', ')}.` } : { value: word };
  };
}

const roleSet: Parse<ReadonlySet<ProcessRole>> = (value) => {
  const words = commaList(value);
  const known = new Set(processRoles.filter((role) => words.includes(role)));
  const isRight =
    known.size > 0 && words.every((word) => processRoles.some((role) => role === word));
  return isRight ? { value: known } : { reason: `is no list of: ${processRoles.join(', ')}.` };
};

const networks: Parse<readonly string[]> = (value) => {
  const found = commaList(value).map(canonicalNetwork);
  const valid = found.filter((network) => network !== null);
  return valid.length === found.length
    ? { value: valid }
    : { reason: 'is no comma-separated list of networks such as 10.0.0.0/8,2001:db8::/32.' };
};

function urlOf(...protocols: string[]): Parse<string> {
  return (value) => {
    const url = URL.parse(value);
    return url && protocols.includes(url.protocol)
      ? { value }
      : { reason: `is no URL beginning with ${protocols.map((p) => `${p}//`).join(' or ')}.` };
  };
}

const httpUrl: Parse<URL> = (value) => {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return { reason: 'is no http or https URL.' };
  }
  if (url.username || url.password || url.pathname !== '/' || url.search || url.hash) {
    return { reason: 'may hold only scheme, host and port.' };
  }
  return { value: url };
};

const proxyUrl: Parse<URL> = (value) => {
  const url = URL.parse(value);
  const isRight =
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/';
  return isRight && !url.search && !url.hash
    ? { value: url }
    : { reason: 'is no http or https URL of scheme, host and port, with or without credentials.' };
};

const mailAddress: Parse<string> = (value) =>
  /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value)
    ? { value }
    : { reason: 'is no e-mail address such as no-reply@example.com.' };

const publicUrl: Parse<URL> = (value) => {
  const parsed = httpUrl(value);
  if ('reason' in parsed) return parsed;
  const { protocol, hostname } = parsed.value;
  return protocol === 'https:' || isLoopbackHost(hostname)
    ? parsed
    : {
        reason: 'must begin with https:// (http:// serves only localhost): sessions travel in it.',
      };
};

const key: Parse<Buffer> = (value) => {
  const bytes = Buffer.from(value, 'base64');
  const isRight = /^[A-Za-z0-9+/]{43}=$/.test(value) && bytes.length === 32;
  return isRight
    ? { value: bytes }
    : { reason: 'is not 32 bytes in base64. Make one: openssl rand -base64 32' };
};

const token: Parse<string> = (value) =>
  isWellFormedToken(value)
    ? { value }
    : { reason: 'has not the shape of a token or its checksum is wrong.' };

/** A value that people also type into a form: the same rule as there. */
function asInForm(schema: z.ZodType<string>): Parse<string> {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success
      ? { value: parsed.data }
      : { reason: `is refused: ${parsed.error.issues.map(({ message }) => message).join(' ')}` };
  };
}

const metricsToken: Parse<string> = (value) =>
  /^[\x21-\x7e]{16,}$/.test(value)
    ? { value }
    : { reason: 'must have at least 16 printable characters, no spaces.' };

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
