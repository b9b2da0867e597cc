import { QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { expect, expectTypeOf, test } from 'vitest';
import type { ApiKey } from '../contract/api-keys/api-key.ts';
import type { ReadName } from '../contract/routes.ts';
import { routeKey, routePages, routeQuery } from './route-query.ts';
import { queriesAbout } from './stale-reads.ts';

test('a query has the data of its route, and takes only reads whose response may be kept', () => {
  const query = routeQuery('a', 'getApiKey', { params: { apiKey: '7' } });
  expectTypeOf(new QueryClient().getQueryData(query.queryKey)).toEqualTypeOf<ApiKey | undefined>();
  expectTypeOf<
    Extract<ReadName, 'rotateApiKey' | 'createApiKey' | 'startApp' | 'listConversations'>
  >().toEqualTypeOf<never>();
  expectTypeOf<Extract<ReadName, 'exportAuditLog' | 'getSetUp'>>().toEqualTypeOf<never>();
  // @ts-expect-error its response has a token, which must not get into a cache
  void (() => routeQuery('a', 'rotateApiKey', { params: { apiKey: '7' }, body: {} }));
  // @ts-expect-error which key is required
  void (() => routeQuery('a', 'getApiKey'));
  // @ts-expect-error no such parameter
  void (() => routeQuery('a', 'getApiKey', { params: { webhook: '7' } }));
});

test('what is read for a person is apart from what another person reads', () => {
  const of = (id: string) => ({ person: { id }, account: { id: 'a' } });
  const [ida, max] = ['ida', 'max'].map((id) => routeQuery(of(id), 'listSessions').queryKey);
  expect(ida).not.toEqual(max);
});

test('a change of a key makes its list, its pages and its failed calls stale, and nothing of another account', () => {
  const client = new QueryClient();
  const key = { params: { apiKey: '7' } };
  const stale: QueryKey[] = [
    routeQuery('a', 'listApiKeys').queryKey,
    routePages('a', 'listApiKeys', { inputOf: () => ({ query: { status: 'revoked' as const } }) })
      .queryKey,
    routeQuery('a', 'getApiKey', key).queryKey,
    routeQuery('a', 'listFailedCalls', key).queryKey,
  ];
  const fresh: QueryKey[] = [
    routeQuery('b', 'listApiKeys').queryKey,
    routeQuery('a', 'listMembers').queryKey,
  ];
  for (const queryKey of [...stale, ...fresh]) client.setQueryData(queryKey, null);
  void client.invalidateQueries(queriesAbout('apiKeys', 'a'));
  const isStale = (queryKey: QueryKey) => client.getQueryState(queryKey)?.isInvalidated;
  expect(stale.map(isStale)).toEqual([true, true, true, true]);
  expect(fresh.map(isStale)).toEqual([false, false]);
});

test('a part of the input matches every query that has it', () => {
  const client = new QueryClient();
  const inputs = [
    { params: { webhook: '7' }, query: { window: '24h' } },
    { params: { webhook: '8' }, query: { window: '24h' } },
  ];
  for (const input of inputs) {
    client.setQueryData(routeKey('a', 'getWebhookStatistics', input), null);
  }
  const ofOne = routeKey('a', 'getWebhookStatistics', { params: { webhook: '7' } });
  expect(client.getQueriesData({ queryKey: ofOne })).toHaveLength(1);
});
