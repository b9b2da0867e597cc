import { expect, test } from 'vitest';
import { explainStartFailure } from './explain-start-failure.ts';
import { StartError } from './start-error.ts';

const embedded = { databaseUrl: null, dataDir: '/srv/data' };
const onServer = { databaseUrl: 'postgres://db/one', dataDir: './data' };
const failed = (code: string, path?: string) => Object.assign(new Error('…'), { code, path });
const inQuery = (cause: Error) => new Error('Failed query', { cause });

test.each([
  [
    'a full disk',
    failed('ENOSPC'),
    embedded,
    'The disk that holds the data folder /srv/data is full (ENOSPC).',
  ],
  [
    'a quota',
    failed('EDQUOT'),
    embedded,
    'The disk that holds the data folder /srv/data is full (EDQUOT).',
  ],
  [
    'a full disk, as PGlite tells of it',
    { name: 'ErrnoError', errno: 51 },
    embedded,
    'is full (ENOSPC).',
  ],
  [
    'a full disk met by a statement',
    inQuery(failed('53100')),
    embedded,
    'The disk that holds the data folder',
  ],
  [
    'a full disk of the server',
    inQuery(failed('53100')),
    onServer,
    'The disk of the PostgreSQL server is full.',
  ],
  ['a standby', inQuery(failed('25006')), onServer, 'may only be read, as a standby may.'],
  [
    'no right to write',
    failed('EACCES', '/srv/data/lock'),
    embedded,
    'cannot be written to (EACCES).',
  ],
])('%s is told in words', (_, error, config, words) => {
  const told = explainStartFailure(error, config);
  expect(told).toBeInstanceOf(StartError);
  expect(told?.message).toContain(words);
});

test.each([
  ['of another folder', failed('EACCES', '/etc/secret')],
  ['that nobody foresaw', new TypeError('x is undefined')],
  ['that is no error', undefined],
])('a failure %s is not', (_, error) => {
  expect(explainStartFailure(error, embedded)).toBe(null);
});
