import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { replays } from '../../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse, TestClient } from '../../../testing/api.ts';
import { inputFor } from '../../../testing/api-keys/incidents.ts';
import { afterWaiting, waitedMs } from '../../../testing/databases/after-waiting.ts';
import { addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

/**
 * Calls that wait for a lock which another transaction has for a long time. What they then decide,
 * store and promise begins when they have the lock, not when they were called.
 */
const { ctx, api, account } = useApi({ engine: 'postgresql' });
let callerId: number;
let caller: TestClient;
let admin: PersonActor;
let support: PersonActor;

beforeAll(async () => {
  const { id, token } = await account.key();
  callerId = id;
  caller = api.as(token);
  [admin, support] = [await account.member('admin'), await account.member('support')];
});

test('a replaced signing secret signs for the whole grace period', async () => {
  const { id } = await account.webhook();
  const body = { grace_period_seconds: 60 };
  const response = await afterWaiting(ctx, {
    lock: lockWebhook(id),
    call: () => caller.post(`/api/v1/webhooks/${id}/regenerate-secret`, body),
  });
  expect(response.status).toBe(201);
  const webhook = dataOf(await caller.get(`/api/v1/webhooks/${id}`));
  expect(webhook['secret']).toMatchObject({
    created_at: ctx.clock.apiTime(),
    previous_valid_until: ctx.clock.apiTime(minuteMs),
  });
});

test('a webhook is inactive since the moment from which it gets no deliveries', async () => {
  const { id } = await account.webhook();
  const response = await afterWaiting(ctx, {
    lock: lockWebhook(id),
    call: () => caller.patch(`/api/v1/webhooks/${id}`, { is_active: false }),
  });
  expect(dataOf(response)).toMatchObject({
    inactive_since: ctx.clock.apiTime(),
    updated_at: ctx.clock.apiTime(),
  });
});

test('a key is not created with an expiry that has passed', async () => {
  const body = { name: 'Too late', type: 'bot', expires_at: ctx.clock.apiTime(waitedMs) };
  const response = await afterWaiting(ctx, {
    lock: lockApiKey(callerId),
    call: () => caller.post('/api/v1/api-keys', body),
  });
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({ expires_at: ['Use a time in the future.'] });
});

test('a key and a webhook count from the moment at which they are created', async () => {
  const webhook = { name: 'Hook', url: 'https://example.com/hook', events: ['message.created'] };
  for (const call of [
    () => caller.post('/api/v1/api-keys', { name: 'Bot', type: 'bot' }),
    () => caller.post('/api/v1/webhooks', webhook),
  ]) {
    const response = await afterWaiting(ctx, { lock: lockApiKey(callerId), call });
    expect(dataOf(response)['created_at']).toBe(ctx.clock.apiTime());
  }
});

test('a replay ends with the moment at which it is created, and counts the events until then', async () => {
  const { id } = await account.webhook();
  const since = ctx.clock.apiTime();
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const response = await afterWaiting(ctx, {
    lock: lockWebhook(id),
    call: () => caller.post(`/api/v1/webhooks/${id}/replays`, { since, status: 'all' }),
    during: async () => {
      await addEvent(ctx, account.id, { at: new Date(ctx.clock.now().getTime() - minuteMs) });
    },
  });
  expect(dataOf(response)).toMatchObject({
    created_at: ctx.clock.apiTime(),
    until: ctx.clock.apiTime(),
    total: 2,
  });
});

describe('a rotation request', () => {
  test('is open for 72 hours', async () => {
    const { id } = await account.key();
    const response = await afterWaiting(ctx, { lock: lockApiKey(id), call: () => ask(id) });
    expect(dataOf(response)).toMatchObject({
      created_at: ctx.clock.apiTime(),
      expires_at: ctx.clock.apiTime(72 * hourMs),
    });
  });

  test('that expires in the meantime cannot be declined', async () => {
    const { id } = await account.key();
    const { uuid } = dataOf<{ uuid: string }>(await ask(id));
    const expiresAt = new Date(ctx.clock.now().getTime() + waitedMs);
    const isAsked = eq(rotationRequests.uuid, uuid);
    await ctx.db.update(rotationRequests).set({ expiresAt }).where(isAsked);
    const response = await afterWaiting(ctx, {
      lock: async (tx) => {
        await tx.select().from(rotationRequests).where(isAsked).for('update');
      },
      call: () =>
        api.as(admin).post(`/api/dashboard/rotation-requests/${uuid}/decline`, {
          reason: 'later',
          message: 'Not now.',
        }),
    });
    expect(response.status, response.text).toBe(422);
    expect(detailsOf(response)).toEqual({
      rotation_request: [`This request expired at ${formatApiTime(expiresAt)}. Ask again.`],
    });
  });

  async function ask(id: number): Promise<ApiResponse> {
    const body = { member: admin.personId, reason: 'lost' };
    return await api.as(support).post(`/api/dashboard/api-keys/${id}/rotation-requests`, body);
  }
});

describe('the audit log has the time', () => {
  test('at which a webhook was deleted', async () => {
    const { id } = await account.webhook();
    await afterWaiting(ctx, {
      lock: lockWebhook(id),
      call: () => caller.delete(`/api/v1/webhooks/${id}`),
    });
    expect(await latestEntry()).toEqual({ action: 'webhook.deleted', at: ctx.clock.apiTime() });
  });

  test('at which a test event was sent', async () => {
    const { id } = await account.webhook();
    const response = await afterWaiting(ctx, {
      lock: lockWebhook(id),
      call: () => caller.post(`/api/v1/webhooks/${id}/test`),
    });
    expect(dataOf(response)).toMatchObject({ created_at: ctx.clock.apiTime() });
    expect(await latestEntry()).toEqual({ action: 'webhook.tested', at: ctx.clock.apiTime() });
  });

  test('at which a replay was cancelled', async () => {
    const { id } = await account.webhook();
    const body = { since: ctx.clock.apiTime(-minuteMs), status: 'all' };
    const { uuid } = dataOf<{ uuid: string }>(
      await caller.post(`/api/v1/webhooks/${id}/replays`, body),
    );
    await afterWaiting(ctx, {
      lock: async (tx) => {
        await tx.select().from(replays).where(eq(replays.uuid, uuid)).for('update');
      },
      call: () => caller.post(`/api/v1/replays/${uuid}/cancel`),
    });
    expect(await latestEntry()).toEqual({ action: 'replay.cancelled', at: ctx.clock.apiTime() });
  });

  test('at which a signing secret was confirmed', async () => {
    const { id } = await account.webhook();
    const { secret } = dataOf<{ secret: string }>(
      await api.as(admin).post(`/api/v1/webhooks/${id}/regenerate-secret`),
    );
    const body = { last_four: secret.slice(-4) };
    const response = await afterWaiting(ctx, {
      lock: lockWebhook(id),
      call: () => api.as(admin).post(`/api/dashboard/webhooks/${id}/confirm-secret`, body),
    });
    expect(response.status).toBe(204);
    const action = 'webhook.secret_confirmed';
    expect(await latestEntry()).toEqual({ action, at: ctx.clock.apiTime() });
  });

  test('at which an incident was started and cancelled', async () => {
    const { uuid } = await account.key();
    const input = inputFor([uuid], { act: 'revoke' });
    const started = await afterWaiting(ctx, {
      lock: lockMembership(admin),
      call: () => api.as(admin).post('/api/dashboard/incidents', input),
    });
    expect(started.status).toBe(201);
    const startedAt = ctx.clock.apiTime();
    expect(dataOf(started)).toMatchObject({ created_at: startedAt });
    expect(await latestEntry()).toEqual({ action: 'incident.started', at: startedAt });
    const { uuid: incident } = dataOf<{ uuid: string }>(started);
    const cancelled = await afterWaiting(ctx, {
      lock: lockMembership(admin),
      call: () => api.as(admin).post(`/api/dashboard/incidents/${incident}/cancel`),
    });
    expect(dataOf(cancelled)).toMatchObject({ finished_at: ctx.clock.apiTime() });
    expect(await latestEntry()).toEqual({
      action: 'incident.cancelled',
      at: ctx.clock.apiTime(),
    });
  });

  async function latestEntry(): Promise<{ action: string; at: string } | null> {
    const [entry] = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id))
      .orderBy(desc(auditEntries.id))
      .limit(1);
    return entry ? { action: entry.action, at: formatApiTime(entry.at) } : null;
  }
});

type Lock = (tx: Tx) => Promise<void>;

function lockWebhook(id: number): Lock {
  return async (tx) => {
    await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update');
  };
}

function lockApiKey(id: number): Lock {
  return async (tx) => {
    await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update');
  };
}

function lockMembership({ accountId, personId }: PersonActor): Lock {
  return async (tx) => {
    await tx
      .select()
      .from(members)
      .where(and(eq(members.accountId, accountId), eq(members.personId, personId)))
      .for('update');
  };
}
