import { describe, expect, test } from 'vitest';
import { parseDeliverySearch } from './parse-delivery-search.ts';

const uuid = '791002fb-655c-447c-aa98-f5b921cf66cd';

describe('parseDeliverySearch', () => {
  test.each<[string, string, object]>([
    ['nothing', ' ', {}],
    ['a webhook-id', `msg_${uuid}`, { about: uuid }],
    ['a header', `webhook-id: msg_${uuid.toUpperCase()}`, { about: uuid }],
    ['a UUID in quotation marks', `"${uuid}",`, { about: uuid }],
    [
      'an address that ends with a UUID',
      `https://localhost/api/v1/events/${uuid}`,
      { about: uuid },
    ],
    ['the id of a conversation', '1042', { about: '1042' }],
    ['an id with a number sign, which can look like a status', '#503', { about: '503' }],
    ['an id with a number sign, which can look like a success', '#204', { about: '204' }],
    ['a status', ' 503 ', { statusCode: 503 }],
    ['a status with its reason', '410 Gone', { statusCode: 410 }],
  ])('understands %s', (_, text, search) => {
    expect(parseDeliverySearch(text)).toEqual(search);
  });

  test.each(['order', 'msg_791002fb', '0', '-1', '99999999999999999', '12 13', '#', '204', '2xx'])(
    'does not understand %s',
    (text) => {
      expect(parseDeliverySearch(text)).toBeNull();
    },
  );
});
