import { describe, expect, test } from 'vitest';
import { type ApiKeyState, apiKeyState } from '#components/shell/states/api-key-state.ts';
import { sortOrdersOf } from '#components/ui/data-display/sort-order.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { makeApiKey } from '../../testing/make-api-key.ts';
import {
  type ApiKeyView,
  responsiblePersonsOf,
  selectApiKeys,
  sortColumns,
  tagsOf,
} from './select-api-keys.ts';

const now = new Date('2026-11-20T12:00:00Z');
const all: ApiKeyView = {
  q: '',
  type: 'any',
  status: 'any',
  tag: '',
  responsible: '',
  used: 'any',
  created: 'any',
  creator: '',
  shown: '',
  scope: 'any',
  address: '',
  sort: 'name',
};

const unconfirmed = {
  since: at(-7200),
  shown_to: { kind: 'person', id: 'ida', name: 'Ida' },
  undo_restores: 'oLd4',
} as const;

const server = makeApiKey({ id: 1, name: 'Server 10', last_four: '8fQ2', last_used_at: at(-60) });
const bot = makeApiKey({
  id: 2,
  name: 'server 9',
  type: 'bot',
  last_four: 'x9Lp',
  last_used_at: null,
});
const turning = makeApiKey({
  id: 3,
  name: 'Billing',
  last_four: 'Zk3V',
  status: 'rotating',
  last_used_at: at(-5),
  tokens: [livingToken('Zk3V', null), livingToken('mId4', at(1800)), livingToken('oLd4', at(3600))],
});
const keys = [server, bot, turning];
const lost = makeApiKey({
  ...turning,
  id: 4,
  tokens: [{ ...livingToken('Zk3V', null), unconfirmed }, livingToken('oLd4', at(3600))],
});

describe('selectApiKeys', () => {
  test('finds the keys that are known to someone who left', () => {
    const context = { now, knownToLeavers: new Set([bot.uuid]) };
    expect(selectApiKeys(keys, { ...all, status: 'known_to_leaver' }, context)).toEqual([bot]);
    expect(select({ status: 'known_to_leaver' })).toEqual([]);
  });

  test('finds by name and by the last four characters of every valid token, ignoring case', () => {
    expect(select({ q: ' SERVER ' })).toEqual([bot, server]);
    expect(select({ q: '8fq2' })).toEqual([server]);
    expect(select({ q: 'old4' })).toEqual([turning]);
    expect(select({ q: 'mid4' })).toEqual([turning]);
  });

  test('finds by a masked token, its last characters, the ID and the UUID', () => {
    expect(select({ q: 'sk_live_…8fQ2' })).toEqual([server]);
    expect(select({ q: '…oLd4' })).toEqual([turning]);
    expect(select({ q: '2' })).toEqual([bot, server]);
    expect(select({ q: '#3' })).toEqual([turning]);
    expect(select({ q: bot.uuid })).toEqual([bot]);
    expect(select({ q: '9 serv' })).toEqual([bot]);
  });

  test('finds by the description and the tags, and filters by one whole tag', () => {
    const described = { ...server, description: 'Reads parcels', tags: ['production', 'eu west'] };
    const tagged = { ...bot, tags: ['pre-production'] };
    const list = [described, tagged, turning];
    const find = (view: Partial<ApiKeyView>) => selectApiKeys(list, { ...all, ...view }, { now });
    expect(find({ q: 'PARCELS' })).toEqual([described]);
    expect(find({ q: 'production' })).toEqual([tagged, described]);
    expect(find({ tag: 'production' })).toEqual([described]);
    expect(tagsOf(list, { ...all, tag: 'gone' })).toEqual([
      'eu west',
      'gone',
      'pre-production',
      'production',
    ]);
  });

  test('filters by type and status', () => {
    expect(select({ type: 'bot' })).toEqual([bot]);
    expect(select({ status: 'rotating' })).toEqual([turning]);
    expect(select({ type: 'bot', status: 'rotating' })).toEqual([]);
  });

  test('filters by what is true of a key, no matter what else is', () => {
    const inDays = (days: number) => at(days * 86_400);
    const soon = makeApiKey({ ...server, id: 5, name: 'A', expires_at: inDays(1) });
    const lostSoon = makeApiKey({ ...lost, id: 6, name: 'B', expires_at: inDays(7) });
    const turningSoon = makeApiKey({ ...turning, id: 7, name: 'C', expires_at: inDays(1) });
    const later = makeApiKey({ ...server, id: 8, name: 'D', expires_at: inDays(30) });
    const much = makeApiKey({ ...server, id: 9, name: 'E', expires_at: inDays(31) });
    const gone = makeApiKey({ ...server, id: 10, name: 'F', expires_at: at(-1) });
    const list = [soon, lostSoon, turningSoon, later, much, gone];
    const namesWith = (status: ApiKeyView['status']) =>
      selectApiKeys(list, { ...all, status }, { now })
        .map(({ name }) => name)
        .join('');
    expect(namesWith('expiring')).toBe('ABC');
    expect(namesWith('expiring_30')).toBe('ABCD');
    expect(namesWith('rotating')).toBe('BC');
    expect(namesWith('unconfirmed')).toBe('B');
    expect(namesWith('active')).toBe('ABCDE');
    expect(namesWith('expired')).toBe('F');
    expect(namesWith('revoked')).toBe('');
  });

  test('sorts by expiry, and keys without one last both ways', () => {
    const first = makeApiKey({ id: 5, name: 'A', expires_at: at(60) });
    const second = makeApiKey({ id: 6, name: 'B', expires_at: at(120) });
    const list = [bot, second, first];
    expect(selectApiKeys(list, { ...all, sort: 'expires' }, { now })).toEqual([first, second, bot]);
    expect(selectApiKeys(list, { ...all, sort: '-expires' }, { now })).toEqual([
      second,
      first,
      bot,
    ]);
  });

  test('sorts names with 9 before 10, and keys that were never used last both ways', () => {
    expect(select({ sort: 'name' })).toEqual([turning, bot, server]);
    expect(select({ sort: '-last_used' })).toEqual([turning, server, bot]);
    expect(select({ sort: 'last_used' })).toEqual([server, turning, bot]);
  });

  test('sorts ended keys below all others in every order', () => {
    const revoked = makeApiKey({ id: 8, name: 'A', status: 'revoked', last_used_at: at(-1) });
    const expired = makeApiKey({ id: 9, name: 'B', expires_at: at(-1), last_used_at: at(-2) });
    const list = [revoked, expired, bot];
    for (const sort of sortOrdersOf(sortColumns)) {
      expect(selectApiKeys(list, { ...all, sort }, { now })[0], sort).toBe(bot);
    }
    expect(selectApiKeys(list, { ...all, sort: '-last_used' }, { now })).toEqual([
      bot,
      revoked,
      expired,
    ]);
  });

  test('sorts keys that need attention first, and of these unconfirmed tokens', () => {
    const view = { ...all, sort: 'status' as const };
    expect(selectApiKeys([server, turning, lost], view, { now })).toEqual([lost, turning, server]);
  });
});

describe('apiKeyState', () => {
  test.each<[ApiKey, ApiKeyState]>([
    [makeApiKey({}), 'active'],
    [turning, 'rotating'],
    [lost, 'unconfirmed'],
    [{ ...lost, status: 'revoked', tokens: [] }, 'revoked'],
    [
      {
        ...turning,
        tokens: [livingToken('Zk3V', null), livingToken('oLd4', at(-1))],
      },
      'active',
    ],
    [makeApiKey({ status: 'revoked', expires_at: at(-1) }), 'revoked'],
  ])('case %#', (apiKey, state) => {
    expect(apiKeyState(apiKey, now)).toBe(state);
  });
});

function select(part: Partial<ApiKeyView>): ApiKey[] {
  return selectApiKeys(keys, { ...all, ...part }, { now });
}

function at(seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString();
}

function livingToken(lastFour: string, validUntil: string | null): ApiKeyToken {
  return {
    id: 1,
    last_four: lastFour,
    created_at: at(-7200),
    created_by: { kind: 'person', id: 'ida', name: 'Ida' },
    shown_to: null,
    valid_until: validUntil,
    last_used_at: null,
    last_used_ip: null,
    last_used_user_agent: null,
    unconfirmed: null,
  };
}

describe('the person responsible for a key', () => {
  const maria = { id: 'maria', name: 'Maria', is_member: true };
  const leo = { id: 'leo', name: 'Leo', is_member: false };
  const ofMaria = makeApiKey({ id: 5, name: 'Parcels', responsible: maria });
  const ofLeo = makeApiKey({ id: 6, name: 'Invoices', responsible: leo });
  const some = [...keys, ofMaria, ofLeo, makeApiKey({ ...ofMaria, id: 7, name: 'Returns' })];

  test('can be filtered by and searched for', () => {
    const namesIn = (view: Partial<ApiKeyView>) =>
      selectApiKeys(some, { ...all, ...view }, { now }).map(({ name }) => name);
    expect(namesIn({ responsible: 'maria' })).toEqual(['Parcels', 'Returns']);
    expect(namesIn({ q: 'leo' })).toEqual(['Invoices']);
    expect(namesIn({ responsible: 'nobody-knows' })).toEqual([]);
  });

  test('is listed once, sorted by name', () => {
    expect(responsiblePersonsOf(some)).toEqual([leo, maria]);
  });
});

test('keys are filtered by use, creation, scope, and the people who made them or were shown a token', () => {
  const dayS = 86_400;
  const ida = { kind: 'person', id: 'ida', name: 'Ida' } as const;
  const deploy = { kind: 'api_key', id: 'deploy', name: 'Deploy' } as const;
  const old = makeApiKey({
    id: 11,
    name: 'Old',
    created_at: at(-400 * dayS),
    created_by: ida,
    last_used_at: at(-100 * dayS),
    scopes: ['webhooks:read'],
  });
  const fresh = makeApiKey({
    id: 12,
    name: 'Fresh',
    created_at: at(-60),
    created_by: deploy,
    last_used_at: at(-60),
    tokens: [{ ...livingToken('fR3s', null), shown_to: ida }],
  });
  const unused = makeApiKey({ id: 13, name: 'Unused', created_at: at(-2 * dayS) });
  const found = (part: Partial<ApiKeyView>) =>
    selectApiKeys([old, fresh, unused], { ...all, ...part }, { now }).map(({ name }) => name);
  expect(found({ used: 'hour' })).toEqual(['Fresh']);
  expect(found({ used: 'not_quarter' })).toEqual(['Old', 'Unused']);
  expect(found({ used: 'never' })).toEqual(['Unused']);
  expect(found({ created: 'week' })).toEqual(['Fresh', 'Unused']);
  expect(found({ created: 'not_year' })).toEqual(['Old']);
  expect(found({ scope: 'webhooks:read' })).toEqual(['Old']);
  expect(found({ creator: 'api_key:deploy' })).toEqual(['Fresh']);
  expect(found({ shown: 'person:ida' })).toEqual(['Fresh']);
});
