import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { people } from '../../../../db/schema/people/people.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import type { CreatedKey } from '../../../../testing/api-keys/key-calls.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { named, useUnconfirmedTokens } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { dataOf, detailsOf, itemsOf } from '../../../../testing/api.ts';
import type { TestMember } from '../../../../testing/api.ts';
import { failingFirst } from '../../../../testing/databases/failing-transactions.ts';

const { ctx, api, tokens, account, owner, admin, support, caller } = useUnconfirmedTokens();

describe('a token is unconfirmed', () => {
  test('when a person was shown it in the dashboard, until it is used or its key is rotated again', async () => {
    const since = ctx.clock.apiTime();
    const made = await tokens.create(admin);
    const shown = { since, shown_to: named(admin), undo_restores: null };
    expect((await tokens.read(made.id)).tokens).toMatchObject([{ unconfirmed: shown }]);
    await useToken(api, made.token);
    expect((await tokens.read(made.id)).tokens).toMatchObject([{ unconfirmed: null }]);

    const rotated = await tokens.rotate(admin, made.id);
    const undo = { undo_restores: lastFour(made.token) };
    expect((await tokens.read(made.id)).tokens).toMatchObject([
      { last_four: lastFour(rotated), unconfirmed: { ...shown, ...undo } },
      { last_four: lastFour(made.token), unconfirmed: null },
    ]);
    await tokens.confirm(admin, made.id, rotated);
    const asked = await tokens.request(made.id, 'scheduled');
    await owner.post(`/api/dashboard/rotation-requests/${asked}/rotate`);
    expect((await tokens.read(made.id)).tokens).toMatchObject([
      { unconfirmed: { shown_to: named(owner) } },
      { unconfirmed: null },
      { unconfirmed: null },
    ]);
  });

  test('never when the API returned it', async () => {
    const made = await caller.post('/api/v1/api-keys', { name: 'Made by a key', type: 'full' });
    const { id } = dataOf<ApiKey>(made);
    await caller.post(`/api/v1/api-keys/${id}/rotate`);
    const unconfirmed = (await tokens.read(id)).tokens.map((token) => token.unconfirmed);
    expect(unconfirmed).toEqual([null, null]);
  });
});

describe('confirming', () => {
  test('by the person to whom it was shown works, is audited once, and makes undoing impossible', async () => {
    const key = await tokens.keyInUse();
    const rotated = await tokens.rotate(support, key.id);
    expect((await tokens.confirm(support, key.id, rotated)).status).toBe(204);
    expect((await tokens.confirm(support, key.id, rotated)).status).toBe(204);
    expect(await tokens.newestOf(key.id)).toMatchObject({ unconfirmed: null });
    expect((await tokens.auditOf(key.uuid)).slice(1)).toEqual([
      ['api_key.rotated', expect.anything()],
      ['api_key.token_confirmed', { last_four: lastFour(rotated) }],
    ]);
    expect((await tokens.undo(support, key.id, rotated)).status).toBe(422);
    expect(await statusesOf(api, [key.token, rotated])).toEqual([200, 200]);
  });

  test('is refused to anyone else, even an owner, and for a token that was replaced since', async () => {
    const made = await tokens.create(admin);
    const response = await tokens.confirm(owner, made.id, made.token);
    expect(response.status).toBe(403);
    expect(response.text).toContain('Only the person a token was shown to can confirm it.');
    await tokens.rotate(admin, made.id);
    expect(detailsOf(await tokens.confirm(admin, made.id, made.token))).toEqual({
      last_four: ['The key now has another token.'],
    });
    expect(await tokens.newestOf(made.id)).toMatchObject({
      unconfirmed: { shown_to: named(admin) },
    });
  });
});

describe('a replacement for an unconfirmed token', () => {
  test('is shown, the replaced token never works, and older tokens keep their deadlines', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(support, key.id, { grace_period_seconds: 7200 });
    const promised = ctx.clock.apiTime(2 * hourMs);
    ctx.clock.advance(hourMs);
    const response = await tokens.replace(support, key.id, lost);
    const fresh = tokenOf(response);
    expect(response.status).toBe(201);
    expect(dataOf(response)['message']).toBe(
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
    const since = ctx.clock.apiTime();
    expect(await tokens.newestOf(key.id)).toMatchObject({
      unconfirmed: { since, shown_to: named(admin), undo_restores: key.lastFour },
    });
    // Support does not end a token that someone else was shown.
    expect((await tokens.undo(support, key.id, fresh)).status).toBe(403);
    expect((await tokens.undo(admin, key.id, fresh)).status).toBe(204);
    expect(await statusesOf(api, [key.token, fresh])).toEqual([200, 401]);
  });

  test('of a new key leaves that key one token, is audited, and named when the replaced one is rotated', async () => {
    const made = await tokens.create(admin);
    ctx.clock.advance(hourMs);
    const response = await tokens.replace(owner, made.id, made.token);
    const fresh = tokenOf(response);
    expect(dataOf(response)['message']).toBe(
      `Save this token now; it will not be shown again. The token ending in ${lastFour(made.token)}, which was never used, has stopped working.`,
    );
    expect((await tokens.read(made.id)).tokens).toHaveLength(1);
    expect((await tokens.auditOf(made.uuid)).at(-1)).toEqual([
      'api_key.token_replaced',
      { last_four: lastFour(fresh), replaced_last_four: lastFour(made.token) },
    ]);
    const body = { expected_last_four: lastFour(made.token) };
    expect(detailsOf(await admin.post(`/api/v1/api-keys/${made.id}/rotate`, body))).toEqual({
      expected_last_four: [
        `The unused token of this key was replaced at ${ctx.clock.apiTime()}, and ${owner.personName} was shown the new one, which ends in ${lastFour(fresh)}.`,
      ],
    });
  });

  test('is not replaced by a repeated request, of another person or after it was confirmed', async () => {
    const key = await tokens.keyInUse();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const rotate = () => support.post(path, {}, { 'Idempotency-Key': 'rotate-1' });
    const fresh = tokenOf(await tokens.replace(owner, key.id, tokenOf(await rotate())));
    expect(detailsOf(await rotate())['Idempotency-Key']?.[0]).toContain(
      `was replaced, and ${owner.personName} was shown the new one.`,
    );
    await tokens.confirm(owner, key.id, fresh);
    expect(detailsOf(await rotate())['Idempotency-Key']?.[0]).toMatch(
      /^The token of this request was confirmed/,
    );
    expect(await statusesOf(api, [fresh])).toEqual([200]);
  });

  type Ended = [
    what: string,
    happen: (made: CreatedKey) => Promise<unknown>,
    refusal: (last: string) => string,
  ];

  test.each<Ended>([
    [
      'the token was used',
      async ({ token }) => await useToken(api, token),
      (last) => `The token ending in ${last} was used, so someone has it. Rotate the key instead.`,
    ],
    [
      'the token was confirmed',
      async ({ id, token }) => await tokens.confirm(admin, id, token),
      (last) => `The token ending in ${last} was confirmed. Rotate the key instead.`,
    ],
    [
      'the key was revoked',
      async ({ id }) => await admin.delete(`/api/v1/api-keys/${id}`),
      () => 'This key is revoked. Create a new one.',
    ],
  ])('is refused once %s', async (_what, happen, refusal) => {
    const made = await tokens.create(admin);
    await happen(made);
    expect(detailsOf(await tokens.replace(admin, made.id, made.token))).toEqual({
      api_key: [refusal(lastFour(made.token))],
    });
  });

  test('is refused once the token was replaced by a rotation', async () => {
    const made = await tokens.create(admin);
    await tokens.rotate(owner, made.id);
    expect(detailsOf(await tokens.replace(admin, made.id, made.token))).toHaveProperty(
      'expected_last_four',
    );
  });

  test('is refused to support who must not see it, or if it was shown to someone else', async () => {
    const key = await tokens.keyInUse();
    const response = await tokens.replace(support, key.id, await tokens.rotate(admin, key.id));
    expect(response.status).toBe(403);
    expect(response.text).toContain(`was shown to ${admin.personName}`);
    const made = await tokens.create(admin, { type: 'full' });
    expect((await tokens.replace(support, made.id, made.token)).status).toBe(403);
  });
});

test('the valid tokens that were shown to people who cannot change the key are named with them and their role', async () => {
  const { id } = await tokens.keyInUse();
  const shown = async (by: TestMember) =>
    itemsOf(await by.get(`/api/dashboard/api-keys/${id}/tokens-shown-to-others`));
  expect(await shown(owner)).toEqual([]);
  const first = await tokens.rotate(support, id);
  await tokens.confirm(support, id, first);
  const person = { name: support.personName, role: 'support' };
  expect(await shown(admin)).toEqual([{ last_four: lastFour(first), person }]);
  await tokens.rotate(admin, id);
  expect(await shown(owner)).toHaveLength(1);
  ctx.clock.advance(dayMs);
  expect(await shown(owner)).toEqual([]);
  await owner.delete(`/api/dashboard/members/${admin.personId}`);
  expect(await shown(owner)).toMatchObject([{ person: { name: admin.personName, role: null } }]);
});

describe('a day after a person was shown a token', () => {
  test('they get one email, unless they turned such emails off', async () => {
    const made = await tokens.create(admin, { name: 'Billing sync' });
    await tokens.create(owner);
    const turnedOffMails: MailPreference[] = ['api_keys'];
    await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, owner.personId));
    await passTime(dayMs - 1);
    expect(mailsTo(admin)).toEqual([]);
    await passTime(1);
    await passTime(0);
    expect(mailsTo(admin)).toMatchObject([
      { subject: 'Token not confirmed: API key "Billing sync"' },
    ]);
    expect(mailsTo(admin)[0]?.text).toContain(lastFour(made.token));
    expect(mailsTo(admin)[0]?.text).toContain(`/a/${account.id}/settings/api-keys/${made.id}`);
    expect(mailsTo(owner)).toEqual([]);
    expect(await statusesOf(api, [made.token])).toEqual([200]);
  });

  test.each([
    ['admin', null, /you can confirm that you have it, or get a new one\./],
    ['support', ['webhooks:read'], /you can confirm that you have it, or get a new one\./],
    [
      'support',
      null,
      /you can confirm that you have it\. For a new one, ask an owner or an admin\./,
    ],
    ['viewer', null, /no longer lets you confirm .+ Ask an owner or an admin\./],
  ] as const)(
    'the email offers only what they may do as %s of a key with the scopes %j',
    async (role, scopes, offer) => {
      await tokens.create(admin, scopes ? { type: 'limited', scopes } : { type: 'full' });
      await ctx.db.update(members).set({ role }).where(eq(members.personId, admin.personId));
      await passTime(dayMs);
      expect(mailsTo(admin)[0]?.text).toMatch(offer);
    },
  );

  test('and who replaced it, they get another email about the new token', async () => {
    const made = await tokens.create(admin);
    await passTime(dayMs);
    await tokens.replace(admin, made.id, made.token);
    await passTime(dayMs);
    expect(mailsTo(admin)).toHaveLength(2);
  });

  test('an email that cannot be sent delays no other, and follows later', async () => {
    // Emails about the tokens of earlier tests go first.
    await passTime(dayMs);
    await tokens.create(admin);
    await tokens.create(admin);
    ctx.clock.advance(dayMs);
    ctx.expectErrors(/^the email about an unconfirmed token could not be sent yet$/);
    await mailUnconfirmedTokens({ ...ctx, db: failingFirst(ctx.db, 1) });
    expect(mailsTo(admin)).toHaveLength(1);
    await passTime(0);
    expect(mailsTo(admin)).toHaveLength(2);
  });

  test.each<[what: string, happen: (made: CreatedKey) => Promise<unknown>]>([
    ['it was used', async ({ token }) => await useToken(api, token)],
    ['it was confirmed', async ({ id, token }) => await tokens.confirm(admin, id, token)],
    ['its key was rotated', async ({ id }) => await tokens.rotate(owner, id)],
    ['its key was revoked', async ({ id }) => await owner.delete(`/api/v1/api-keys/${id}`)],
    [
      'they left the account',
      async () => await ctx.db.delete(members).where(eq(members.personId, admin.personId)),
    ],
  ])('no email is sent if %s', async (_, happen) => {
    await happen(await tokens.create(admin));
    await passTime(dayMs);
    expect(mailsTo(admin)).toEqual([]);
  });

  async function passTime(ms: number): Promise<void> {
    ctx.clock.advance(ms);
    await mailUnconfirmedTokens(ctx);
  }

  function mailsTo({ email }: TestMember) {
    return ctx.mails.filter(({ to }) => to === email);
  }
});
