import { describe, expect, test } from 'vitest';
import { matchesSearch, type Searched } from './matches-search.ts';

const uuid = '791002fb-655c-447c-aa98-f5b921cf66cd';
const production: Searched = {
  id: 412,
  uuid,
  texts: ['Production web server', 'https://orders.example.com/webhooks'],
  lastFours: ['Pcat', 'fvTr'],
};

describe('matchesSearch', () => {
  test.each([
    ['nothing', ' '],
    ['a part of the name in another case', ' WEB serv '],
    ['parts of the name in another order', 'server prod'],
    ['a name in decomposed characters', 'Production'.normalize('NFD')],
    ['the token as the list shows it', 'sk_live_…Pcat'],
    ['the token with dots or stars', 'sk_live_...Pcat'],
    ['the token with stars', '****Pcat'],
    ['only the end of the token as a page shows it', '…fvTr'],
    ['the end of the token alone', 'pcat'],
    ['the name beside the token, as copied from a row', 'Production web server sk_live_…Pcat'],
    ['the prefix that every token has', 'sk_live_'],
    ['a token that is typed halfway', 'sk_live_…Pc'],
    ['the id', '412'],
    ['the id with a number sign', '#412'],
    ['the uuid', uuid],
    ['the uuid in capitals, without dashes', uuid.replaceAll('-', '').toUpperCase()],
    ['the beginning of the uuid', '791002fb'],
    ['the uuid in quotation marks with a comma', `"${uuid}",`],
    ['an address that contains the uuid', `https://localhost/a/x/settings/webhooks/${uuid}/edit`],
    ['a URL', 'https://Orders.example.com/webhooks'],
    ['a URL with a slash at its end', 'https://orders.example.com/webhooks/'],
    ['a part of a URL', 'orders.example'],
  ])('finds by %s', (_what, search) => {
    expect(matchesSearch(search, production)).toBe(true);
  });

  test.each([
    ['another end of a token', 'sk_live_…Abcd'],
    ['a part of the name behind an ellipsis', '…web'],
    ['a part of the id', '41'],
    ['two keys’ tokens', '…Pcat …Abcd'],
    ['a word that is missing', 'production archive'],
    ['another uuid', '791002fb-655c-447c-aa98-f5b921cf66ce'],
    ['too little of the uuid', '791002'],
    ['the middle of the uuid', '655c-447c-aa98'],
    ['a hidden secret', 'whsec_…'],
  ])('does not find by %s', (_what, search) => {
    expect(matchesSearch(search, production)).toBe(false);
  });
});
