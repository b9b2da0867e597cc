import { beforeAll, describe, expect, test } from 'vitest';
import { detailsOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const { api } = useApi();
let token: string;
let key: number;
let webhook: number;

beforeAll(async () => {
  const account = await api.account();
  ({ id: key, token } = await account.key());
  webhook = (await account.webhook()).id;
});

describe('a text that the database cannot store is refused', () => {
  const nul = '\0';

  test('as the responsible person of a key', async () => {
    const details = { responsible_id: ['Use the id of a member of the account, or null.'] };
    const given = { responsible_id: `a${nul}b` };
    const body = { name: 'Key', type: 'full', ...given };
    const made = await api.call('POST', '/api/v1/api-keys', { token, body });
    expect(made.status).toBe(422);
    expect(detailsOf(made)).toEqual(details);
    const changed = await api.call('PATCH', `/api/v1/api-keys/${key}`, {
      token,
      body: given,
    });
    expect(changed.status).toBe(422);
    expect(detailsOf(changed)).toEqual(details);
  });

  test('as the last four characters of a token', async () => {
    for (const given of [nul.repeat(4), 'ab-d', 'äbcd']) {
      const body = { expected_last_four: given };
      const refused = await api.call('POST', `/api/v1/api-keys/${key}/rotate`, { token, body });
      expect(refused.status).toBe(422);
      expect(detailsOf(refused)).toEqual({
        expected_last_four: ['Use the last four characters of the token.'],
      });
    }
  });
});

describe.each([
  ['in the year 0', '0000-06-01T00:00:00Z'],
  ['in the year 0 of UTC', '0001-01-01T00:00:00+14:00'],
  ['in the year 10000 of UTC', '9999-12-31T23:59:59-12:00'],
  ['in the year 10000', '10000-01-01T00:00:00Z'],
  ['in the year 10000, as JavaScript writes it', '+010000-01-01T00:00:00.000Z'],
  ['before the year 0', '-000001-12-31T00:00:00.000Z'],
])('a time %s', (_, time) => {
  const advice = ['Use a date from the year 0001 to the year 9999, in UTC.'];

  test('is refused as the expiry of a key', async () => {
    const body = { name: 'Key', type: 'full', expires_at: time };
    const response = await api.call('POST', '/api/v1/api-keys', { token, body });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ expires_at: advice });
  });

  test('is refused as the beginning of a replay', async () => {
    const body = { since: time, status: 'all' };
    const response = await api.call('POST', `/api/v1/webhooks/${webhook}/replays`, { token, body });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ since: advice });
  });

  test('is refused as a filter of deliveries', async () => {
    const query = new URLSearchParams({ since: time, until: time });
    const response = await api.call('GET', `/api/v1/webhooks/${webhook}/deliveries?${query}`, {
      token,
    });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ since: advice, until: advice });
  });
});

test.each([
  '2027-02-29T00:00:00Z',
  '2027-02-30T12:00:00.000+00:00',
  '2027-13-01T00:00:00Z',
  '2027-01-31T24:00:00Z',
  '2027-01-31T12:00:00+24:00',
])('%s is refused as a time that does not exist, not for its form', async (time) => {
  const advice = ['This time does not exist.'];
  const body = { since: time, status: 'all' };
  const path = `/api/v1/webhooks/${webhook}`;
  const replay = await api.call('POST', `${path}/replays`, { token, body });
  expect(detailsOf(replay)).toEqual({ since: advice });
  const query = new URLSearchParams({ since: time });
  const listed = await api.call('GET', `${path}/deliveries?${query}`, { token });
  expect(detailsOf(listed)).toEqual({ since: advice });
});
