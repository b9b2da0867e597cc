import { z } from 'zod';
import { defaultGraceSeconds, maxGraceSeconds } from '#lib/contract/fields/grace-period.ts';
import { setUpInput } from '#lib/contract/people/set-up.ts';
import { processRoles } from '#lib/contract/support-desk/installation-status.ts';
import { accessLogChoices } from '../log/access-log.ts';
import { logLevels } from '../log/log.ts';
import {
  asInForm,
  collectorUrl,
  flag,
  folder,
  headerPairs,
  hostName,
  httpUrl,
  integer,
  mailSender,
  metricsToken,
  networks,
  oneOf,
  postgresAddress,
  proxyUrl,
  publicUrl,
  secretKey,
  serviceName,
  setOf,
  share,
  token,
  urlOf,
} from './formats.ts';

/** The largest quotas of active keys and webhooks that an account can have. */
export const maxKeys = 2000;
export const maxWebhooks = 1000;

/** All settings; `npm run docs` writes their texts into docs/operations/configuration.md. */
export const settings = z.object({
  PORT: setting(integer(0, 65_535), {
    default: 3000,
    description: 'the port to listen on; `0`: any free port, printed in the line `Ready:`',
  }),
  HOST: setting(hostName, { default: '127.0.0.1', description: 'the address to listen on' }),
  KEEP_ALIVE_SECONDS: setting(integer(1, 3600), {
    default: 620,
    description:
      'how long a connection stays open between two requests. Keep it longer than a load balancer in front does (60 to 600 seconds): otherwise the balancer may send a request on a connection that is being closed, and respond with 502',
  }),
  PUBLIC_URL: setting(publicUrl, {
    shown: '`http://localhost:PORT`',
    description:
      'where people reach the dashboard. It must be https, unless it is this machine. Pages are served under no other host name; only a trusted proxy may send another `Host`. With https, every response tells browsers to use https for this host and its subdomains for a year (`Strict-Transport-Security`)',
  }),
  TRUSTED_PROXIES: setting(networks, {
    default: [],
    description:
      'networks of proxies whose `X-Forwarded-For` is trusted. They may also send their own `Host`, as nginx does by default, instead of that of `PUBLIC_URL`',
  }),
  DATA_DIR: setting(folder, {
    default: './data',
    description: 'the folder of the embedded database and of the generated secret key',
  }),
  DATABASE_URL: setting(postgresAddress, {
    description:
      'a PostgreSQL server instead of the embedded database, such as `postgres://user:password@host/database`, or by its socket `postgres://user@/database?host=/var/run/postgresql`',
  }),
  MIGRATION_DATABASE_URL: setting(postgresAddress, {
    shown: '`DATABASE_URL`',
    description:
      'the same database, with the role that owns its tables. The role in `DATABASE_URL` can then neither change nor remove audit entries (`docs/security/for-operators.md`, "Two database roles")',
  }),
  DATABASE_PREPARE: setting(oneOf(['on', 'off']), {
    default: 'on',
    description:
      '`on` keeps frequent statements prepared on each connection, so that PostgreSQL need not parse and plan them each time. Set it to `off` if there is a pooler in transaction mode that does not know prepared statements (PgBouncer before 1.21)',
  }),
  REDIS_URL: setting(urlOf('redis:', 'rediss:'), {
    description:
      'a Redis server, or a node of a Redis Cluster, through which all processes count rate limits together; without it each process counts for itself',
  }),
  REDIS_TIMEOUT_MS: setting(integer(10, 10_000), {
    default: 250,
    description:
      'how many milliseconds Redis may take to respond. A call waits for it, so raise this only if Redis is far away. If Redis takes longer, each process counts for itself for five seconds',
  }),
  SECRET_KEY: setting(secretKey, {
    shown: 'generated in `DATA_DIR`',
    description:
      '32 bytes in base64 (`openssl rand -base64 32`). The key encrypts webhook secrets, and signs sessions and device cookies. Required with `DATABASE_URL`',
  }),
  SECRET_KEY_PREVIOUS: setting(secretKey, {
    description:
      'the previous key, only for the one start that changes to a new `SECRET_KEY`. Stop all processes, then start one with both keys: it encrypts everything again',
  }),
  ROLES: setting(setOf(processRoles), {
    default: new Set(processRoles),
    shown: '`api,worker,web`',
    description: 'which parts of the service this process runs',
  }),
  API_BASE_URL: setting(httpUrl, {
    shown: 'this process',
    description: 'the URL of the API, for a process with `web` but without `api`',
  }),
  DASHBOARD_CREDENTIAL: setting(token, {
    shown: 'generated at each start',
    description:
      'the credential that processes with `web` and processes with `api` share when they run apart (`npm run -s admin -- make-token` prints one)',
  }),
  INIT_ADMIN_EMAIL: setting(asInForm(setUpInput.shape.email), {
    description: 'the email address of the first owner, created if nobody exists yet',
  }),
  INIT_ADMIN_PASSWORD: setting(asInForm(setUpInput.shape.password), {
    description: 'their password. If it is easy to guess, the first start fails',
  }),
  INIT_ACCOUNT_NAME: setting(asInForm(setUpInput.shape.account_name), {
    description: 'the name of the first account',
  }),
  INIT_API_KEY: setting(token, {
    description: 'the token of the first API key (`npm run -s admin -- make-token` prints one)',
  }),
  RATE_LIMIT_PER_MINUTE: setting(integer(1, 1_000_000), {
    default: 600,
    description: 'calls per key or person',
  }),
  RATE_LIMIT_ACCOUNT_PER_MINUTE: setting(integer(1, 10_000_000), {
    shown: 'ten times `RATE_LIMIT_PER_MINUTE`',
    description:
      'calls of all keys of an account together. Calls that revoke or rotate keys or end tokens do not count',
  }),
  RATE_LIMIT_CREATIONS_PER_HOUR: setting(integer(1, 1_000_000), {
    default: 60,
    description:
      'keys and webhooks that a key or person may create; an account may create five times as many',
  }),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: setting(integer(1, 1_000_000), {
    default: 60,
    description: 'failed authentications per client address',
  }),
  MAX_KEYS: setting(integer(1, maxKeys), {
    default: 200,
    description:
      'active API keys that an account can have, unless `npm run admin -- set-limits` gave it another number. Revoked and expired keys do not count',
  }),
  MAX_WEBHOOKS: setting(integer(1, maxWebhooks), {
    default: 100,
    description:
      'webhooks that an account can have, unless `npm run admin -- set-limits` gave it another number',
  }),
  ROTATION_GRACE_SECONDS: setting(integer(0, maxGraceSeconds), {
    default: defaultGraceSeconds,
    description:
      'how long a rotated token stays valid unless the request specifies otherwise; selected by default in the dashboard',
  }),
  REAUTH_SECONDS: setting(integer(1, 43_200), {
    default: 1800,
    description:
      'how long after proving their identity a person can create, rotate, change and revoke keys, replace signing secrets, create and delete webhooks, and perform other sensitive acts. After that, they must prove it again',
  }),
  WEBHOOK_ALLOW_HTTP: setting(flag, {
    default: false,
    description: 'allows webhook URLs with http',
  }),
  WEBHOOK_ALLOWED_CIDRS: setting(networks, {
    default: [],
    description:
      'networks that webhooks may reach although they are not public. `127.0.0.0/8` contains `::1` too, so `localhost` can be reached. NAT64 addresses count as the IPv4 address in them',
  }),
  WEBHOOK_MAX_SOCKETS: setting(integer(16, 1_000_000), {
    default: 2048,
    description:
      'attempts that a process can have in progress at the same time, each on a socket. While others wait, an account gets at most a quarter of them. The process may need a higher limit of open files (`ulimit -n`), and reports that when it starts',
  }),
  WEBHOOK_PROXY: setting(proxyUrl, {
    description:
      'an http or https proxy through which webhooks are called. The proxy then decides, instead of the service, which addresses may be reached. `HTTP_PROXY` and similar variables are ignored',
  }),
  RETENTION_DAYS: setting(integer(1, 3650), {
    default: 30,
    description:
      'how long events are kept with their deliveries and attempts, and so how far back you can replay them. Events that are still to be delivered are kept longer',
  }),
  AUDIT_RETENTION_DAYS: setting(integer(1, 3650), {
    default: 400,
    description: 'how long audit entries and searches at the support desk are kept',
  }),
  SMTP_URL: setting(urlOf('smtp:', 'smtps:'), {
    description:
      'the mail server, as `smtps://user:password@mail.example.com`. Parameters are under "The mail server" below. Without one, emails are written to `DATA_DIR/outbox`',
  }),
  MAIL_FROM: setting(mailSender, {
    shown: '`no-reply@` the host of `PUBLIC_URL`',
    description:
      'the sender of emails: an address, or a name and an address, as `Keys <no-reply@example.com>`',
  }),
  METRICS_TOKEN: setting(metricsToken, {
    description:
      'the token with which `/metrics` can be read. Without it only this machine can read it, and only if `PUBLIC_URL` is not https',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(collectorUrl, {
    description:
      'the OpenTelemetry collector to which traces are sent with OTLP over HTTP, as protobuf to `/v1/traces` below this URL, such as `http://localhost:4318`. Without it no traces are recorded',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(headerPairs, {
    default: {},
    description:
      'headers that the collector requires, such as `api-key=secret,tenant=one`, with special characters of values in percent-encoding',
  }),
  OTEL_SERVICE_NAME: setting(serviceName, {
    default: 'conversation-service',
    description: 'the name of this service in traces',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(share, {
    default: 1,
    description:
      'the share of traces that are recorded, from 0 to 1. A trace is recorded whole or not at all',
  }),
  WEBHOOK_TRACEPARENT: setting(flag, {
    default: false,
    description:
      'sends receivers the header `traceparent` with each attempt, if traces are recorded, so that they can continue the trace',
  }),
  LOG_LEVEL: setting(oneOf(logLevels), {
    default: 'info',
    description: `${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}`,
  }),
  LOG_ACCESS: setting(oneOf(accessLogChoices), {
    default: 'all',
    description:
      'which requests to the API have a line in the log, at the level info: `all`, `errors` (a response of 400 or above) or `off`',
  }),
});

export type SettingName = keyof typeof settings.shape;

/** The value is null if a setting has no default and the environment does not set it. */
export type Settings = z.output<typeof settings>;

/** What the table in docs/operations/configuration.md shows about a setting. */
type SettingDocumentation = { shownDefault: string; description: string };

export function documentationOf(name: SettingName): SettingDocumentation {
  const { shownDefault, description } = settings.shape[name].meta() ?? {};
  if (typeof shownDefault !== 'string' || description === undefined) {
    throw new Error(`${name} is not documented`);
  }
  return { shownDefault, description };
}

type SettingOptions<Value> = {
  default?: Value;
  /** The default as the table shows it, if it differs from its text. */
  shown?: string;
  description: string;
};

function setting<Value>(
  format: z.ZodType<Value, string>,
  options: SettingOptions<NoInfer<Value>> & { default: NoInfer<Value> },
): z.ZodType<Value, string | undefined>;
function setting<Value>(
  format: z.ZodType<Value, string>,
  options: SettingOptions<Value>,
): z.ZodType<Value | null, string | undefined>;
function setting<Value>(
  format: z.ZodType<Value, string>,
  { default: fallback, shown, description }: SettingOptions<Value>,
): z.ZodType<Value | null, string | undefined> {
  return format
    .optional()
    .transform((value) => value ?? fallback ?? null)
    .meta({ description, shownDefault: shown ?? showDefault(fallback) });
}

function showDefault(value: unknown): string {
  const hasText = ['string', 'number', 'boolean'].includes(typeof value);
  return hasText ? `\`${value as string | number | boolean}\`` : 'none';
}
