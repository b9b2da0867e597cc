import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from './load-config.ts';
import { newToken } from '../tokens/token.ts';
import type { Environment } from './environment.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const onPostgres = { DATABASE_URL: 'postgres://db.example/app', SECRET_KEY: key };
const token = newToken();

const folder = useTemporaryFolder();

function file(text: string): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, text);
  return path;
}

/** The rejected variables, with the reason for each. */
function problemsOf(environment: Environment): Record<string, string> {
  try {
    loadConfig(environment);
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.problems.map(({ variable, reason }) => [variable, reason]));
  }
}

describe('an empty environment', () => {
  test('runs everything on loopback with the embedded database', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      redisUrl: null,
      secretKey: null,
      trustedProxies: [],
      dashboardCredential: null,
      rateLimitPerMinute: 600,
      accountRateLimitPerMinute: null,
      creationsPerHour: 60,
      failedAuthPerMinute: 60,
      maxKeys: 200,
      maxWebhooks: 100,
      rotationGraceSeconds: 86_400,
      proofMaxAgeSeconds: 1800,
      webhookAllowHttp: false,
      webhookProxy: null,
      retentionDays: 30,
      auditRetentionDays: 400,
      smtpUrl: null,
      mailFrom: { name: '', address: 'no-reply@localhost' },
      logLevel: 'info',
      logAccess: 'all',
      init: { adminEmail: null, adminPassword: null, accountName: null, apiKey: null },
    });
    expect(config.publicUrl.origin).toBe('http://localhost:3000');
    expect(config.apiBaseUrl.origin).toBe('http://127.0.0.1:3000');
    expect([...config.roles]).toEqual(['api', 'worker', 'web']);
    expect(config.dataDir).toBe(join(process.cwd(), 'data'));
  });

  test('behaves like one with empty values', () => {
    expect(problemsOf({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '', REDIS_URL_FILE: '' })).toEqual(
      {},
    );
  });
});

describe('a valid value is read', () => {
  test.each<[Environment, object]>([
    [{ PORT: '8080' }, { port: 8080 }],
    [{ PORT: '0' }, { port: 0 }],
    [{ HOST: '[::1]' }, { host: '::1' }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [
      { TRUSTED_PROXIES: '10.1.2.3/8, 2001:db8::1/32,192.0.2.1' },
      { trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1/32'] },
    ],
    [onPostgres, { databaseUrl: 'postgres://db.example/app', secretKey: Buffer.alloc(32, 7) }],
    [{ REDIS_URL: 'rediss://:pw@cache.example' }, { redisUrl: 'rediss://:pw@cache.example' }],
    [{ ...onPostgres, ROLES: 'api, worker' }, { roles: new Set(['api', 'worker']) }],
    [{ ROLES: 'web,api,worker' }, { roles: new Set(['api', 'worker', 'web']) }],
    [
      { MAX_KEYS: '1', MAX_WEBHOOKS: '1000' },
      { maxKeys: 1, maxWebhooks: 1000 },
    ],
    [{ ROTATION_GRACE_SECONDS: '0' }, { rotationGraceSeconds: 0 }],
    [{ REAUTH_SECONDS: '43200' }, { proofMaxAgeSeconds: 43_200 }],
    [{ WEBHOOK_ALLOW_HTTP: 'true' }, { webhookAllowHttp: true }],
    [{}, { webhookMaxSockets: 2048 }],
    [{ WEBHOOK_MAX_SOCKETS: '16' }, { webhookMaxSockets: 16 }],
    [
      { WEBHOOK_PROXY: 'http://user:pw@proxy.example:3128' },
      { webhookProxy: new URL('http://user:pw@proxy.example:3128') },
    ],
    [
      { RETENTION_DAYS: '7', AUDIT_RETENTION_DAYS: '90' },
      { retentionDays: 7, auditRetentionDays: 90 },
    ],
    [{ SMTP_URL: 'smtps://u:p@mail.example' }, { smtpUrl: 'smtps://u:p@mail.example' }],
    [{ MAIL_FROM: 'keys@example.com' }, { mailFrom: { name: '', address: 'keys@example.com' } }],
    [
      { MAIL_FROM: 'Keys of Example <keys@example.com>' },
      { mailFrom: { name: 'Keys of Example', address: 'keys@example.com' } },
    ],
    [
      { MAIL_FROM: '"Keys, Example" <keys@example.com>' },
      { mailFrom: { name: 'Keys, Example', address: 'keys@example.com' } },
    ],
    [
      { PUBLIC_URL: 'https://keys.example.com' },
      { mailFrom: { name: '', address: 'no-reply@keys.example.com' } },
    ],
    [{}, { tracing: null, webhookTraceparent: false }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/base' },
      {
        tracing: {
          endpoint: new URL('https://otlp.example/base'),
          headers: {},
          serviceName: 'conversation-service',
          sampleRatio: 1,
        },
      },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi=, tenant = one',
        OTEL_SERVICE_NAME: 'keys.eu',
        OTEL_TRACES_SAMPLER_ARG: '.05',
      },
      {
        tracing: {
          headers: { Authorization: 'Basic YTpi=', tenant: 'one' },
          serviceName: 'keys.eu',
          sampleRatio: 0.05,
        },
      },
    ],
    [{ WEBHOOK_TRACEPARENT: 'true' }, { webhookTraceparent: true }],
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ LOG_ACCESS: 'errors' }, { logAccess: 'errors' }],
  ])('%j', (environment, expected) => {
    expect(loadConfig(environment)).toMatchObject(expected);
  });

  test.each([
    ['https://keys.example.com', 'https://keys.example.com'],
    ['https://keys.example.com/', 'https://keys.example.com'],
    ['https://keys.example.com:8443', 'https://keys.example.com:8443'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://[::1]:4000', 'http://[::1]:4000'],
  ])('PUBLIC_URL %s', (given, origin) => {
    expect(loadConfig({ PUBLIC_URL: given }).publicUrl.origin).toBe(origin);
  });

  test.each([
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['::1', 'http://[::1]:8080'],
    ['10.0.0.4', 'http://10.0.0.4:8080'],
  ])('the dashboard calls the API of a process on %s at %s', (host, origin) => {
    expect(loadConfig({ HOST: host, PORT: '8080' }).apiBaseUrl.origin).toBe(origin);
  });

  test.each([
    'postgresql://app:pw@db.example:5433/app?sslmode=verify-full&sslrootcert=/nowhere.pem',
    'postgres://app@[::1]/app?sslmode=disable&channel_binding=disable&sslcert=/nowhere.pem',
    'postgres://app@[::1]/app',
    'postgres:///app?host=/var/run/postgresql',
    'postgres://app:pw@/app?host=/var/run/postgresql&port=5433',
    'postgres://app@%2Fvar%2Frun%2Fpostgresql/app',
    'socket:/var/run/postgresql?db=app',
    'socket://app:pw@/var/run/postgresql?db=app',
    '/var/run/postgresql app',
  ])('for PostgreSQL from %s, like any address that its driver accepts', (address) => {
    const given = { DATABASE_URL: address, MIGRATION_DATABASE_URL: address, SECRET_KEY: key };
    expect(loadConfig(given)).toMatchObject({
      databaseUrl: address,
      migrationDatabaseUrl: address,
    });
  });

  test('from the file that NAME_FILE names, without its final line break', () => {
    const environment = {
      DATABASE_URL_FILE: file(`${onPostgres.DATABASE_URL}\n`),
      SECRET_KEY_FILE: file(`${key}\n`),
    };
    expect(loadConfig(environment)).toMatchObject({
      databaseUrl: onPostgres.DATABASE_URL,
      secretKey: Buffer.alloc(32, 7),
    });
  });

  test('for the first account', () => {
    const init = {
      INIT_ADMIN_EMAIL: ' Ida@Example.com',
      INIT_ADMIN_PASSWORD: 'a long enough one',
      INIT_ACCOUNT_NAME: ' Marlow & Finch ',
      INIT_API_KEY: token,
    };
    expect(loadConfig(init).init).toEqual({
      adminEmail: 'ida@example.com',
      adminPassword: 'a long enough one',
      accountName: 'Marlow & Finch',
      apiKey: token,
    });
  });
});

describe('an invalid value stops the start and names its variable', () => {
  const valid = {
    ...onPostgres,
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: 'a long enough one',
  };
  const wrong: Record<string, string[]> = {
    PORT: ['-1', '65536', '3000x'],
    HOST: ['http://localhost', '10.0.0.0/8', '1.2.3.4.5', 'fe80::1%eth0'],
    DATA_DIR: ['  '],
    PUBLIC_URL: [
      'keys.example.com',
      'http://keys.example.com',
      'https://keys.example.com/dashboard',
      'https://user:pw@keys.example.com',
    ],
    TRUSTED_PROXIES: ['10.0.0.0/33', 'loadbalancer', '10.1'],
    DATABASE_URL: [
      'mysql://db.example/app',
      'db.example/app',
      'postgres://a.example,b.example/app',
      'postgres://a.example:1,b.example:2/app',
      'postgres://app:p/w@db.example/app',
      'postgres://app:%E0%A4@db.example/app',
      'postgres://db.example/app?sslmode=',
      'postgres://db.example/app?sslmode=verify',
      'postgres://db.example/app?ssl_mode=require',
      'postgres://db.example/app?a=b&SSLMode=require',
    ],
    MIGRATION_DATABASE_URL: ['socket:/run?sslmod=require'],
    REDIS_URL: ['cache.example:6379', 'redis://:100%@cache.example'],
    SECRET_KEY: ['c2hvcnQ=', 'x'.repeat(44)],
    ROLES: ['api,frontend', ','],
    DASHBOARD_CREDENTIAL: ['secret'],
    RATE_LIMIT_PER_MINUTE: ['0'],
    RATE_LIMIT_ACCOUNT_PER_MINUTE: ['6e3'],
    RATE_LIMIT_CREATIONS_PER_HOUR: ['0'],
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: ['-1'],
    MAX_KEYS: ['2001'],
    MAX_WEBHOOKS: ['0'],
    ROTATION_GRACE_SECONDS: ['604801'],
    REAUTH_SECONDS: ['0', '43201'],
    WEBHOOK_ALLOW_HTTP: ['yes'],
    WEBHOOK_ALLOWED_CIDRS: ['everything'],
    WEBHOOK_MAX_SOCKETS: ['15'],
    WEBHOOK_PROXY: ['socks5://a.example', 'http://a.example/path', 'http://user:100%@a.example'],
    RETENTION_DAYS: ['0'],
    AUDIT_RETENTION_DAYS: ['forever'],
    SMTP_URL: ['https://mail.example', 'smtps://user:100%@mail.example'],
    MAIL_FROM: ['Keys keys@example.com', 'Keys <keys@example.com>, Ida <ida@example.com>'],
    METRICS_TOKEN: ['short'],
    OTEL_EXPORTER_OTLP_ENDPOINT: [
      'localhost:4318',
      'grpc://localhost:4317',
      'http://user:pw@localhost:4318',
      'http://localhost:4318/?key=secret',
    ],
    OTEL_EXPORTER_OTLP_HEADERS: ['secret', 'a=', 'a b=c', 'a=%E0%A4', 'a=b%0Ac', ','],
    OTEL_SERVICE_NAME: ['two words'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '10%', '-1', '1e-3'],
    WEBHOOK_TRACEPARENT: ['yes'],
    LOG_LEVEL: ['loud'],
    LOG_ACCESS: ['some'],
    INIT_ADMIN_EMAIL: ['ida'],
    INIT_ADMIN_PASSWORD: ['short'],
    // With a wrong checksum.
    INIT_API_KEY: [token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
  };
  test.each(Object.entries(wrong))('%s: %j', (variable, values) => {
    expect(problemsOf(valid)).toEqual({});
    for (const value of values) {
      expect(Object.keys(problemsOf({ ...valid, [variable]: value })), value).toEqual([variable]);
    }
  });

  test('a file that is missing, empty or a folder, or that is set together with the value itself', () => {
    expect(problemsOf({ REDIS_URL_FILE: join(folder, 'nothing') })).toEqual({
      REDIS_URL_FILE: 'names a file that does not exist. Correct the path, or create the file.',
    });
    expect(problemsOf({ REDIS_URL_FILE: folder })).toEqual({
      REDIS_URL_FILE: 'names a folder. Use the path of the file that contains the value.',
    });
    expect(Object.keys(problemsOf({ REDIS_URL_FILE: file('\n') }))).toEqual(['REDIS_URL_FILE']);
    expect(Object.keys(problemsOf({ LOG_LEVEL: 'info', LOG_LEVEL_FILE: file('info') }))).toEqual([
      'LOG_LEVEL',
    ]);
  });

  test('all invalid values together', () => {
    expect(Object.keys(problemsOf({ PORT: 'x', LOG_LEVEL: 'x', ROLES: 'x' })).toSorted()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'ROLES',
    ]);
  });

  test('without repeating the value', () => {
    const secret = 'do-not-print-me';
    const names = Object.keys({
      ...onPostgres,
      SECRET_KEY_PREVIOUS: '',
      REDIS_URL: '',
      WEBHOOK_PROXY: '',
      SMTP_URL: '',
      DASHBOARD_CREDENTIAL: '',
      METRICS_TOKEN: '',
      OTEL_EXPORTER_OTLP_HEADERS: '',
      INIT_ADMIN_EMAIL: '',
      INIT_API_KEY: '',
      PUBLIC_URL: '',
      PORT: '',
    });
    const environment = Object.fromEntries(names.map((name) => [name, `${secret} é`]));
    expect(() => loadConfig(environment)).toThrow(ConfigError);
    expect(() => loadConfig(environment)).not.toThrow(secret);
  });
});

describe('values that contradict each other stop the start', () => {
  test.each<[string, string[], Environment]>([
    ['a split service on the embedded database', ['ROLES'], { ROLES: 'api,web' }],
    ['a worker alone on the embedded database', ['ROLES'], { ROLES: 'worker' }],
    ['PostgreSQL without a key', ['SECRET_KEY'], { DATABASE_URL: onPostgres.DATABASE_URL }],
    ['a previous key without a present one', ['SECRET_KEY_PREVIOUS'], { SECRET_KEY_PREVIOUS: key }],
    [
      'a previous key that is the present one',
      ['SECRET_KEY_PREVIOUS'],
      { SECRET_KEY: key, SECRET_KEY_PREVIOUS: key },
    ],
    [
      'a previous key that is the present one in another encoding',
      ['SECRET_KEY_PREVIOUS'],
      { SECRET_KEY: `${'A'.repeat(43)}=`, SECRET_KEY_PREVIOUS: `${'A'.repeat(42)}B=` },
    ],
    [
      'only a database for migrations',
      ['MIGRATION_DATABASE_URL'],
      { MIGRATION_DATABASE_URL: 'postgres://db.example/app' },
    ],
    [
      'a separate dashboard that does not know its API',
      ['API_BASE_URL', 'DASHBOARD_CREDENTIAL'],
      { ROLES: 'web' },
    ],
    [
      'an admin without a password',
      ['INIT_ADMIN_PASSWORD'],
      { INIT_ADMIN_EMAIL: 'ida@example.com' },
    ],
    [
      'a password without an admin',
      ['INIT_ADMIN_EMAIL'],
      { INIT_ADMIN_PASSWORD: 'a long enough one' },
    ],
    ['a first key without an owner', ['INIT_API_KEY'], { INIT_API_KEY: token }],
    ['an account without an owner', ['INIT_ACCOUNT_NAME'], { INIT_ACCOUNT_NAME: 'Marlow' }],
  ])('%s', (_, variables, environment) => {
    expect(Object.keys(problemsOf(environment))).toEqual(variables);
  });

  test('a separate dashboard needs neither database nor key', () => {
    const environment = {
      ROLES: 'web',
      API_BASE_URL: 'http://api:3000',
      DASHBOARD_CREDENTIAL: token,
    };
    expect(problemsOf(environment)).toEqual({});
  });
});
