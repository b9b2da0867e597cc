import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import type { Environment } from '../config/environment.ts';
import type { OpenDatabase } from '../db/open.ts';
import { openTestDatabase } from '../testing/databases/database.ts';
import { TestLog } from '../testing/logger.ts';
import { warnOfDifferentSettings } from './warn-of-different-settings.ts';

const log = new TestLog();
let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase('pglite', log.logger);
});
afterAll(() => database.close());
beforeEach(() => {
  log.forget();
});

const api = {
  PUBLIC_URL: 'https://keys.example.com',
  SMTP_URL: 'smtps://user:secret@mail.example.com',
  RETENTION_DAYS: '365',
  AUDIT_RETENTION_DAYS: '3650',
  WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8,192.168.0.0/16',
};

/** The variables that the start of a process with these settings warns of. */
async function warnedOf(environment: Environment): Promise<unknown[]> {
  log.forget();
  await warnOfDifferentSettings({
    db: database.db,
    config: loadConfig(environment),
    log: log.logger,
  });
  expect(JSON.stringify(log.entries)).not.toContain('secret');
  return log.entries.map(({ variable }) => variable);
}

test('a process with other settings than the one before says which', async () => {
  expect(await warnedOf(api)).toEqual([]);
  const sameInOtherOrder = { WEBHOOK_ALLOWED_CIDRS: '192.168.0.0/16,10.0.0.0/8' };
  expect(await warnedOf({ ...api, ...sameInOtherOrder, PORT: '3001' })).toEqual([]);
  expect(await warnedOf({})).toEqual([
    'PUBLIC_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'RETENTION_DAYS',
    'AUDIT_RETENTION_DAYS',
    'WEBHOOK_ALLOWED_CIDRS',
  ]);
  expect(log.entries[3]?.msg).toBe(
    'RETENTION_DAYS differs from that of the process that was started before. Give all processes the same value.',
  );
});
