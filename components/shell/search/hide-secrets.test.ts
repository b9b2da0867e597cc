import { describe, expect, test } from 'vitest';
import { hideSecrets, wholeTokenIn } from './hide-secrets.ts';

const body = `${'a1B2c3D4'.repeat(4)}xyZ9Qw`;
const token = ['sk', 'live', body].join('_');
const secret = ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/=='].join('_');

describe('hideSecrets', () => {
  test.each([
    ['a token', ` ${token} `, '…Z9Qw'],
    ['a header that was copied with it', `Authorization: Bearer ${token}`, '…Z9Qw'],
    ['a line of a .env file', `SERVICE_API_KEY="${token}"`, '…Z9Qw'],
    ['a token without its prefix', body, '…Z9Qw'],
    ['a token of which a part is missing', token.slice(0, -6), `…${body.slice(-10, -6)}`],
    ['two tokens', `${token} ${token.slice(0, -1)}A`, '…Z9Qw …Z9QA'],
    ['a signing secret', `SECRET=${secret}`, 'whsec_…'],
  ])('shortens %s to what may be stored', (_what, pasted, kept) => {
    expect(hideSecrets(pasted)).toBe(kept);
  });

  test.each([
    'sk_live_',
    'sk_live_Z9Qw',
    'sk_live_…Z9Qw',
    'whsec_',
    ' Production web ',
    '791002fb-655c-447c-aa98-f5b921cf66cd',
    '791002fb655c447caa98f5b921cf66cd',
    'msg_791002fb-655c-447c-aa98-f5b921cf66cd',
    'https://orders.example.com/webhooks/a-long-path-with-many-parts-of-words',
  ])('leaves %s as it is', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });
});

describe('wholeTokenIn', () => {
  test.each<[string, string, string | null]>([
    ['a token', ` ${token} `, token],
    ['a header that was copied with it', `Authorization: Bearer ${token}`, token],
    ['a line of a .env file', `SERVICE_API_KEY="${token}"`, token],
    ['a token without its prefix', body, token],
    ['no token of which a part is missing', token.slice(0, -1), null],
    ['none of two tokens', `${token} ${token}`, null],
    ['no name', 'Production web server', null],
  ])('finds %s', (_what, search, found) => {
    expect(wholeTokenIn(search)).toBe(found);
  });
});
