import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { maxPreparedTextLength } from '../../../db/statements/prepared-limits.ts';
import { completeStatement } from './complete-statement.ts';

test('the statement is short enough to stay prepared, regardless of the number of attempts', () => {
  const now = new Date();
  const lane = { webhookId: 1, lease: 1, isReleased: false };
  const change = { hadSuccess: true, failures: 0, failingSince: null, lastStartedAt: now };
  const lanes = Array.from({ length: 500 }, () => ({ ...lane, ...change }));
  const completion = { owner: '', now, leaseEnd: now, isLast: false, attempts: [], lanes };
  const { sql } = new PgDialect().sqlToQuery(completeStatement(completion));
  expect(sql.length).toBeLessThanOrEqual(maxPreparedTextLength);
});
