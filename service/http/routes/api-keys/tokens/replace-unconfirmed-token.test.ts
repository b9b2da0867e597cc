import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import type { CreatedKey } from '../../../../testing/api-keys/key-calls.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens, named } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';

const { ctx, api, tokens, owner, admin, support } = useUnconfirmedTokens();

describe('a replacement for an unconfirmed token', () => {
  test('is shown, the replaced token never works, and older tokens keep their deadlines', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(support, key.id, { grace_period_seconds: 7200 });
    const promised = ctx.clock.apiTime(2 * hourMs);
    ctx.clock.advance(hourMs);
    const response = await tokens.replace(support, key.id, lost);

    expect(response.status).toBe(201);
    const { token: fresh, message } = dataOf<{ token: string; message: string }>(response);
    expect(message).toBe(
      `Save this token now; it will not be shown again. The old token stays valid for 1 hour, until ${promised}. The token ending in ${lastFour(lost)}, which was never used, has stopped working.`,
    );
    expect(await statusesOf(api, [key.token, lost, fresh])).toEqual([200, 401, 200]);
    expect((await tokens.read(key.id)).tokens).toMatchObject([
      { last_four: lastFour(fresh), valid_until: null },
      { last_four: key.lastFour, valid_until: promised },
    ]);
  });

  test('is unconfirmed itself, and the rotation can be undone as before', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(support, key.id);
    ctx.clock.advance(hourMs);
    const fresh = tokenOf(await tokens.replace(admin, key.id, lost));
    expect(await tokens.newestOf(key.id)).toMatchObject({
      unconfirmed: {
        since: ctx.clock.apiTime(),
        shown_to: named(admin),
        undo_restores: key.lastFour,
      },
    });
    // Support does not end a token that somebody else was shown.
    expect((await tokens.undo(support, key.id, fresh)).status).toBe(403);
    expect((await tokens.undo(admin, key.id, fresh)).status).toBe(204);
    expect(await statusesOf(api, [key.token, fresh])).toEqual([200, 401]);
  });

  test('of a new key leaves that key one token', async () => {
    const made = await tokens.create(admin);
    const response = await tokens.replace(admin, made.id, made.token);
    expect(dataOf(response)['message']).toBe(
      `Save this token now; it will not be shown again. The token ending in ${lastFour(made.token)}, which was never used, has stopped working.`,
    );
    expect((await tokens.read(made.id)).tokens).toHaveLength(1);
    expect(await statusesOf(api, [made.token, tokenOf(response)])).toEqual([401, 200]);
  });

  test('is audited', async () => {
    const made = await tokens.create(admin);
    const fresh = tokenOf(await tokens.replace(owner, made.id, made.token));
    expect((await tokens.auditOf(made.uuid)).at(-1)).toEqual([
      'api_key.token_replaced',
      { last_four: lastFour(fresh), replaced_last_four: lastFour(made.token) },
    ]);
  });

  test('is named in the refusal to rotate the replaced token', async () => {
    const made = await tokens.create(admin);
    ctx.clock.advance(hourMs);
    const fresh = tokenOf(await tokens.replace(owner, made.id, made.token));
    const body = { expected_last_four: lastFour(made.token) };
    const response = await admin.post(`/api/v1/api-keys/${made.id}/rotate`, body);
    expect(detailsOf(response)).toEqual({
      expected_last_four: [
        `The unused token of this key was replaced at ${ctx.clock.apiTime()}, and ${owner.personName} was shown the new one, which ends in ${lastFour(fresh)}.`,
      ],
    });
  });

  test('whose response was lost can be replaced again', async () => {
    const made = await tokens.create(admin);
    const path = `/api/dashboard/api-keys/${made.id}/replace-unconfirmed-token`;
    const body = { expected_last_four: lastFour(made.token) };
    const replace = () => admin.post(path, body, { 'Idempotency-Key': 'replace-1' });
    const [first, second] = [tokenOf(await replace()), tokenOf(await replace())];
    expect(await statusesOf(api, [first, second])).toEqual([401, 200]);
  });

  test('that somebody confirmed is not replaced by a repeated request', async () => {
    const body = { name: 'Billing', type: 'webhook' };
    const create = () => admin.post('/api/v1/api-keys', body, { 'Idempotency-Key': 'create-1' });
    const made = dataOf<CreatedKey>(await create());
    const fresh = tokenOf(await tokens.replace(owner, made.id, made.token));
    await tokens.confirm(owner, made.id, fresh);
    const response = await create();
    expect(response.status).toBe(422);
    expect(detailsOf(response)['Idempotency-Key']?.[0]).toMatch(/^Somebody confirmed having/);
    expect(await statusesOf(api, [fresh])).toEqual([200]);
  });

  test('is not replaced by the repeated request of another person', async () => {
    const key = await tokens.keyInUse();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const rotate = () => support.post(path, {}, { 'Idempotency-Key': 'rotate-1' });
    const lost = tokenOf(await rotate());
    const fresh = tokenOf(await tokens.replace(owner, key.id, lost));
    expect(detailsOf(await rotate())['Idempotency-Key']?.[0]).toContain(
      `was replaced, and ${owner.personName} was shown the new one.`,
    );
    expect(await statusesOf(api, [fresh])).toEqual([200]);
  });

  test('is refused once the token was used, confirmed or replaced', async () => {
    const used = await tokens.create(admin);
    await useToken(api, used.token);
    expect(detailsOf(await tokens.replace(admin, used.id, used.token))).toEqual({
      api_key: [
        `The token ending in ${lastFour(used.token)} was used, so somebody has it. Rotate the key instead.`,
      ],
    });
    const confirmed = await tokens.create(admin);
    await tokens.confirm(admin, confirmed.id, confirmed.token);
    expect(detailsOf(await tokens.replace(admin, confirmed.id, confirmed.token))).toEqual({
      api_key: [
        `Somebody confirmed having the token ending in ${lastFour(confirmed.token)}. Rotate the key instead.`,
      ],
    });
    const replaced = await tokens.create(admin);
    await tokens.rotate(owner, replaced.id);
    expect(detailsOf(await tokens.replace(admin, replaced.id, replaced.token))).toHaveProperty(
      'expected_last_four',
    );
  });

  test('is refused for a revoked key', async () => {
    const made = await tokens.create(admin);
    await admin.delete(`/api/v1/api-keys/${made.id}`);
    expect(detailsOf(await tokens.replace(admin, made.id, made.token))).toEqual({
      api_key: ['This key is revoked. Create a new one.'],
    });
  });

  test('is refused to support if the token was shown to somebody else', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    const response = await tokens.replace(support, key.id, lost);
    expect(response.status).toBe(403);
    expect(response.text).toContain(`was shown to ${admin.personName}`);
  });

  test('is refused to those who must not see it', async () => {
    const made = await tokens.create(admin, { type: 'full' });
    expect((await tokens.replace(support, made.id, made.token)).status).toBe(403);
  });
});
