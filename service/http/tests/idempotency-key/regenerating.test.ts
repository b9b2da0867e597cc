import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { dataOf } from '../../../testing/api.ts';
import { RepeatingClient, expectRefusal, named } from '../../../testing/http/repeating-client.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const client = new RepeatingClient(api, caller);

describe('regenerating a secret again', () => {
  test('replaces the secret, and the old one signs as long as before', async () => {
    const { id } = await account.webhook();
    await client.regenerate(id, null, { grace_period_seconds: 0 });
    ctx.clock.advance(minuteMs);
    const lost = await client.regenerate(id, 'secret-1', { grace_period_seconds: 3600 });
    const before = await client.secretsOf(id);
    ctx.clock.advance(minuteMs);
    const again = await client.regenerate(id, 'secret-1', { grace_period_seconds: 3600 });

    expect(again.status).toBe(201);
    expect(Object.keys(dataOf(again))).toEqual(['secret', 'message']);
    expect(dataOf(again)['secret']).not.toBe(dataOf(lost)['secret']);
    const until = before[1]?.validUntil?.toISOString().replace('Z', '+00:00');
    expect(dataOf(again)['message']).toBe(
      `Save this secret now; it will not be shown again. The old secret also signs for 59 minutes, until ${until}.`,
    );
    const after = await client.secretsOf(id);
    expect(after.map(({ validUntil }) => validUntil)).toEqual(
      before.map(({ validUntil }) => validUntil),
    );
    expect(after.map((secret) => client.openSecret(secret))).toEqual([
      dataOf(again)['secret'],
      before[1] && client.openSecret(before[1]),
    ]);
  });

  test('says when the replaced secret ends, also while an older one signs for longer', async () => {
    const { id } = await account.webhook();
    ctx.clock.advance(minuteMs);
    await client.regenerate(id, null);
    ctx.clock.advance(minuteMs);
    const lost = await client.regenerate(id, 'secret-short', { grace_period_seconds: 3600 });
    const again = await client.regenerate(id, 'secret-short', { grace_period_seconds: 3600 });
    const [, replaced, first] = (await client.secretsOf(id)).map(
      ({ validUntil }) => validUntil && formatApiTime(validUntil),
    );
    expect(dataOf(again)['message']).toBe(dataOf(lost)['message']);
    expect(dataOf(again)['message']).toBe(
      `Save this secret now; it will not be shown again. The old secret also signs for 1 hour, until ${replaced}. An older secret signs until ${first}.`,
    );
  });

  test('for the first secret that is shown leaves the webhook’s original secret as it is', async () => {
    const { id } = await account.webhook();
    const [made] = await client.secretsOf(id);
    ctx.clock.advance(minuteMs);
    await client.regenerate(id, 'secret-first');
    ctx.clock.advance(minuteMs);
    const again = await client.regenerate(id, 'secret-first');
    expect(again.status).toBe(201);
    expect(dataOf(again)['message']).toMatch(
      /^Save this secret now; it will not be shown again\. The previous secret, which was never shown, also signs for 23 hours/,
    );
    const after = await client.secretsOf(id);
    expect(after.map((secret) => client.openSecret(secret))).toEqual([
      dataOf(again)['secret'],
      made && client.openSecret(made),
    ]);
    expect(after.map(({ shownTo }) => shownTo?.kind)).toEqual(['api_key', undefined]);
  });

  test('with a grace period of 0, says that deliveries are signed with it', async () => {
    const { id } = await account.webhook();
    const alone = { grace_period_seconds: 0 };
    await client.regenerate(id, 'secret-now', alone);
    expect(dataOf(await client.regenerate(id, 'secret-now', alone))['message']).toBe(
      'Save this secret now; it will not be shown again. Deliveries are signed with it from now on.',
    );
    expect(await client.secretsOf(id)).toHaveLength(1);
  });

  test('is refused once a delivery was, or may have been, signed with it', async () => {
    const { id } = await account.webhook();
    ctx.clock.advance(minuteMs);
    const made = await client.regenerate(id, 'secret-signed');
    const signed = `Deliveries are signed with the secret that this request made. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`;
    const lane = eq(lanes.webhookId, id);
    await ctx.db.update(lanes).set({ owner: crypto.randomUUID() }).where(lane);
    expectRefusal(await client.regenerate(id, 'secret-signed'), signed);
    await ctx.db.update(lanes).set({ owner: null, lastTriggeredAt: ctx.clock.now() }).where(lane);
    expectRefusal(await client.regenerate(id, 'secret-signed'), signed);
    expect((await client.secretsOf(id)).map((secret) => client.openSecret(secret))[0]).toBe(
      dataOf(made)['secret'],
    );
  });

  test('is refused once the person it was shown to confirmed having it', async () => {
    const { id } = await account.webhook();
    ctx.clock.advance(minuteMs);
    const admin = await account.member('admin');
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    const saved = dataOf(await api.as(admin).post(path, undefined, named('secret-saved')))[
      'secret'
    ];
    const confirming = `/api/dashboard/webhooks/${id}/confirm-secret`;
    const body = { last_four: String(saved).slice(-4) };
    expect((await api.as(admin).post(confirming, body, named('done'))).status).toBe(204);
    expectRefusal(
      await api.as(admin).post(path, undefined, named('secret-saved')),
      `The secret of this request was confirmed. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`,
    );
    expect((await client.secretsOf(id)).map((secret) => client.openSecret(secret))[0]).toBe(saved);
  });

  test('is refused after 10 minutes, with another body, or once another was made', async () => {
    const { id } = await account.webhook();
    await client.regenerate(id, 'secret-late');
    const before = await client.secretsOf(id);
    expectRefusal(
      await client.regenerate(id, 'secret-late', { grace_period_seconds: 1 }),
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new one.',
    );
    ctx.clock.advance(10 * minuteMs);
    expect((await client.regenerate(id, 'secret-late')).status).toBe(422);
    expect(await client.secretsOf(id)).toEqual(before);
    await client.regenerate(id, 'secret-once');
    ctx.clock.advance(minuteMs);
    await client.regenerate(id, null);
    expectRefusal(
      await client.regenerate(id, 'secret-once'),
      `The secret that this request made was replaced since. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`,
    );
  });

  test('of a deleted webhook is the same 404 as for one that does not exist', async () => {
    const { id } = await account.webhook();
    await client.regenerate(id, 'secret-gone');
    await caller.delete(`/api/v1/webhooks/${id}`);
    expect((await client.regenerate(id, 'secret-gone')).status).toBe(404);
  });
});

describe('in the dashboard', () => {
  test('a person can repeat their own requests, and nobody else’s', async () => {
    const admin = await account.member('admin');
    const owner = await account.member('owner');
    const body = { name: 'By Ida', type: 'bot' };
    const path = '/api/v1/api-keys';
    const first = await api.as(admin).post(path, body, named('person-1'));
    const again = await api.as(admin).post(path, body, named('person-1'));
    expect(dataOf(again).id).toBe(dataOf(first).id);
    const other = await api.as(owner).post(path, body, named('person-1'));
    expect(dataOf(other).id).not.toBe(dataOf(first).id);

    const rotation = `${path}/${dataOf(first).id}/rotate`;
    const rotated = await api.as(admin).post(rotation, {}, named('person-2'));
    const repeated = await api.as(admin).post(rotation, {}, named('person-2'));
    expect(await client.statuses([tokenOf(rotated), tokenOf(repeated)])).toEqual([401, 200]);

    const webhook = await account.webhook();
    ctx.clock.advance(minuteMs);
    const secret = `/api/v1/webhooks/${webhook.id}/regenerate-secret`;
    const made = await api.as(admin).post(secret, undefined, named('person-3'));
    const remade = await api.as(admin).post(secret, undefined, named('person-3'));
    expect(made.text).not.toBe(remade.text);
    const names = (await client.secretsOf(webhook.id)).map(({ shownTo }) => shownTo?.name);
    expect(names).toEqual(['Ida admin', undefined]);
  });

  test('a person who lost the right is refused', async () => {
    const support = await account.member('support');
    const key = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const made = await api.as(support).post(path, {}, named('support-1'));
    const wider = await account.key();
    await ctx.db.update(apiKeys).set({ type: 'full', scopes: null }).where(eq(apiKeys.id, key.id));
    expect((await api.as(support).post(path, {}, named('support-1'))).status).toBe(403);
    ctx.keyCache.clear();
    expect(await client.statuses([tokenOf(made), wider.token])).toEqual([200, 200]);
  });
});
