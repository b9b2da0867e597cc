import { expect, test } from 'vitest';
import { readBacklog } from '../db/read-backlog.ts';
import { createMetrics } from '../metrics.ts';
import { useApi } from '../testing/use-api.ts';

const metrics = createMetrics();
const { ctx, api } = useApi({ metrics, config: { rateLimitPerMinute: 2 } });

async function valueOf(series: string): Promise<number> {
  const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? NaN);
}

test('calls are counted by route and outcome, and refusals by limit', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'bot' });
  await api.call('GET', '/api/v1/conversations', { token });
  await api.call('GET', '/api/v1/webhooks', { token });
  expect(await valueOf('api_calls_total{route="listConversations",outcome="succeeded"}')).toBe(1);
  expect(await valueOf('api_calls_total{route="listWebhooks",outcome="refused"}')).toBe(1);
  expect(await valueOf('api_call_duration_seconds_count{route="listWebhooks"}')).toBe(1);

  const limited = await api.call('GET', '/api/v1/webhooks', { token });
  expect(limited.status).toBe(429);
  expect(await valueOf('api_calls_total{route="listWebhooks",outcome="limited"}')).toBe(1);
  expect(await metrics.text()).toMatch(/rate_limit_refusals_total\{limit="\w+"\} 1\n/);
  expect(await metrics.text()).not.toContain(account.id);
});

test('the backlog has the webhooks that no worker serves, and for how long', async () => {
  const before = await readBacklog(ctx.db, ctx.clock.now());
  const account = await api.account();
  const { token } = await account.key({ type: 'full' });
  const webhook = {
    name: 'CRM',
    url: 'https://receiver.example.com/',
    events: ['conversation.created'],
  };
  const made = await api.call('POST', '/api/v1/webhooks', { token, body: webhook });
  expect(made.status).toBe(201);
  await api.call('POST', '/api/v1/conversations', { token, body: { subject: 'Order 1042' } });
  await ctx.laneNotifier.idle();
  ctx.clock.advance(90_000);
  const { dueWebhooks, oldestDueSeconds } = await readBacklog(ctx.db, ctx.clock.now());
  expect(dueWebhooks).toBe(before.dueWebhooks + 1);
  expect(oldestDueSeconds).toBeGreaterThanOrEqual(90);
});
