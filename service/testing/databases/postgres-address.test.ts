import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { listenerOf, replaceInAddress } from './postgres-address.ts';

/** What `pg` reads from an address. */
function readBy(connectionString: string) {
  const { host, port, user, password, database } = new pg.Client({ connectionString });
  return { host, port, user, password, database };
}

const forms: [address: string, taken: object][] = [
  [
    'postgres://ida:pw@db.example:5433/app',
    { host: 'db.example', port: 5433, user: 'ida', password: 'pw', database: 'app' },
  ],
  ['postgresql://ida@[::1]:5433/app', { host: '::1', port: 5433, user: 'ida', database: 'app' }],
  ['postgres://ida@db.example', { host: 'db.example', port: 5432, database: 'ida' }],
  ['postgres:///app?host=/run/pg', { host: '/run/pg', port: 5432, database: 'app' }],
  ['postgres://ida@/app?host=/run/pg', { host: '/run/pg', user: 'ida', database: 'app' }],
  ['postgres://ida:pw@%2Frun%2Fpg/app', { host: '/run/pg', user: 'ida', password: 'pw' }],
  ['socket:/run/pg?db=app', { host: '/run/pg', database: 'app' }],
  ['socket://ida:pw@/run/pg?db=app', { host: '/run/pg', user: 'ida', password: 'pw' }],
  ['/run/pg app', { host: '/run/pg', database: 'app' }],
  [
    'postgres:///app?host=db.example&port=5433&user=ida&password=p%20w',
    { host: 'db.example', port: 5433, user: 'ida', password: 'p w' },
  ],
  [
    'postgres://i%40da:p%2Fw%3F%23%25@db.example/app%20one',
    { host: 'db.example', user: 'i@da', password: 'p/w?#%', database: 'app one' },
  ],
];

test.each(forms)('pg takes the same from %s once its database is replaced', (address, taken) => {
  const before = readBy(address);
  expect(before).toMatchObject(taken);
  expect(readBy(replaceInAddress(address, {}))).toEqual(before);
  expect(readBy(replaceInAddress(address, { database: 'other' }))).toEqual({
    ...before,
    database: 'other',
  });
});

test.each(forms)('a user, a password, a host and a port replace those in %s', (address) => {
  const replaced = { user: 'a&b', password: 'c d+e', host: '127.0.0.1', port: '1' };
  expect(readBy(replaceInAddress(address, replaced))).toEqual({
    ...readBy(address),
    ...replaced,
    port: 1,
  });
});

test('other parameters are kept, and so is the requirement of TLS', () => {
  const address = 'postgres://db.example/app?sslmode=no-verify&application_name=one%20two';
  const replaced = replaceInAddress(address, { database: 'other' });
  expect(replaced).toContain('sslmode=no-verify');
  expect(replaced).toContain('application_name=one%20two');
  for (const [ssl, expected] of [
    ['ssl=true', true],
    ['ssl=0', false],
  ] as const) {
    const client = new pg.Client({
      connectionString: replaceInAddress(`postgres://db.example/app?${ssl}`, {}),
    });
    expect((client as unknown as { ssl: unknown }).ssl).toBe(expected);
  }
});

test('settings that only the environment has become part of the address', () => {
  vi.stubEnv('PGHOST', '/run/pg');
  vi.stubEnv('PGPORT', '5433');
  vi.stubEnv('PGUSER', 'ida');
  const address = replaceInAddress('postgres:///app', {});
  vi.unstubAllEnvs();
  expect(readBy(address)).toMatchObject({ host: '/run/pg', port: 5433, user: 'ida' });
});

test.each([
  ['postgres://db.example:5433/app', { host: 'db.example', port: 5433 }],
  ['postgres:///app?host=/run/pg&port=5433', { path: '/run/pg/.s.PGSQL.5433' }],
  ['socket:/run/pg?db=app', { path: '/run/pg/.s.PGSQL.5432' }],
])('the listener of %s is %j', (address, expected) => {
  expect(listenerOf(address)).toEqual(expected);
});
