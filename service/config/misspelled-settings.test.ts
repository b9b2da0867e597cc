import { describe, expect, test } from 'vitest';
import { loadConfig } from './load-config.ts';
import { findMisspelledSettings } from './misspelled-settings.ts';

const found = (names: readonly string[]) =>
  findMisspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])));

describe('a variable that resembles the name of a setting is reported with that setting', () => {
  test.each([
    ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUTE'],
    ['RATELIMIT_PER_MINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['database_url', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['SECRET_KEY_PREVIUOS', 'SECRET_KEY_PREVIOUS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['WEBHOOKS_ALLOW_HTTP', 'WEBHOOK_ALLOW_HTTP'],
    ['WEBHOOK_ALLOWED_CIDR', 'WEBHOOK_ALLOWED_CIDRS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['ROLE', 'ROLES'],
    ['PROT', 'PORT'],
  ])('%s', (variable, resembles) => {
    expect(found([variable])).toEqual([{ variable, resembles }]);
  });
});

describe('nothing is reported for', () => {
  test.each(
    `PATH HOME HOSTNAME NODE_ENV NODE_OPTIONS SUDO_COMMAND AWS_SECRET_ACCESS_KEY HTTP_PROXY
     REDIS_PORT PGDATABASE POSTGRES_PASSWORD npm_config_loglevel KUBERNETES_SERVICE_PORT INIT_CWD
     MAIL`.split(/\s+/),
  )('%s, which is something else', (variable) => {
    expect(found([variable])).toEqual([]);
  });

  test('a setting, set directly or as a file', () => {
    expect(found(['PORT', 'SECRET_KEY_PREVIOUS', 'DATABASE_URL_FILE'])).toEqual([]);
  });

  test('a variable whose similar setting is set too', () => {
    expect(found(['DATABASE_URL', 'DATABASE_URL_2'])).toEqual([]);
  });

  test('an empty variable', () => {
    expect(findMisspelledSettings({ DATABASE_ULR: '' })).toEqual([]);
  });
});

test('a rejected configuration reports them too, since one may be the reason', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  expect(() => loadConfig({ DATABASE_URL: 'postgres://db.example/app', SECRETKEY: key })).toThrow(
    `The configuration is wrong:
  SECRET_KEY is required with DATABASE_URL. Make one: openssl rand -base64 32
  SECRETKEY is not a setting. Did you mean SECRET_KEY?`,
  );
});
