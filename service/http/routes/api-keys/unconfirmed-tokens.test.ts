import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Role } from '#lib/contract/roles.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { Db } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { mailUnconfirmedTokens } from '../../../domain/api-keys/unconfirmed/mail-unconfirmed-tokens.ts';
import { undoRotation } from '../../../domain/api-keys/unconfirmed/undo-rotation.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { callAs, withSessionsById } from '../../../testing/sessions.ts';

/**
 * A token that was shown in the dashboard and that nobody confirmed: who gets an email, and what
 * can be done about it.
 */
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: PersonActor;
let admin: PersonActor;
let support: PersonActor;
/** Another key of the account, with which to call. */
let token: string;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  account = await api.account();
  [owner, admin, support] = await Promise.all([
    person('owner'),
    person('admin'),
    person('support'),
  ]);
  token = (await account.key({ name: 'Caller' })).token;
});

describe('a token is unconfirmed', () => {
  test('when a key was created in the dashboard, and says to whom and when it was shown', async () => {
    const made = await create(admin);
    expect(await newestOf(made.id)).toMatchObject({
      unconfirmed: { since: inHours(0), shown_to: named(admin), undo_restores: null },
    });
  });

  test('when a key was rotated in the dashboard, on request too', async () => {
    const key = await keyInUse();
    const rotated = await rotate(admin, key.id);
    expect(await newestOf(key.id)).toMatchObject({
      last_four: lastFour(rotated),
      unconfirmed: { shown_to: named(admin), undo_restores: key.lastFour },
    });

    const unseen = await account.key();
    const asked = await ask(unseen.id, 'scheduled');
    await call(owner, 'POST', `/api/dashboard/rotation-requests/${asked}/rotate`);
    expect(await newestOf(unseen.id)).toMatchObject({ unconfirmed: { shown_to: named(owner) } });
  });

  test('never when the API returned it', async () => {
    const body = { name: 'Made by a key', type: 'full' };
    const made = await api.call('POST', '/api/v1/api-keys', { token, body });
    expect(dataOf(made)['tokens']).toMatchObject([{ unconfirmed: null }]);
    const { id } = dataOf(made);
    await api.call('POST', `/api/v1/api-keys/${id}/rotate`, { token });
    expect((await read(id)).tokens).toMatchObject([{ unconfirmed: null }, { unconfirmed: null }]);
  });

  test('no longer once a call was made with it', async () => {
    const made = await create(admin);
    await use(made.token);
    expect(await newestOf(made.id)).toMatchObject({ unconfirmed: null });
  });

  test('no longer once its key was rotated again', async () => {
    const made = await create(admin);
    await rotate(admin, made.id);
    expect((await read(made.id)).tokens).toMatchObject([
      { unconfirmed: { since: inHours(0) } },
      { unconfirmed: null },
    ]);
  });
});

describe('confirming', () => {
  test('by the person to whom it was shown works, is audited once, and makes undoing impossible', async () => {
    const key = await keyInUse();
    const rotated = await rotate(support, key.id);
    expect((await confirm(support, key.id, lastFour(rotated))).status).toBe(204);
    expect((await confirm(support, key.id, lastFour(rotated))).status).toBe(204);

    expect(await newestOf(key.id)).toMatchObject({ unconfirmed: null });
    expect(await auditOf(key.uuid)).toEqual([
      ['api_key.created', expect.anything()],
      ['api_key.rotated', expect.anything()],
      ['api_key.token_confirmed', { last_four: lastFour(rotated) }],
    ]);
    expect((await undo(support, key.id, lastFour(rotated))).status).toBe(422);
    expect(await statuses([key.token, rotated])).toEqual([200, 200]);
  });

  test('is refused to anybody else, even an owner', async () => {
    const made = await create(admin);
    const response = await confirm(owner, made.id, lastFour(made.token));
    expect(response.status).toBe(403);
    expect(response.text).toContain('Only the person a token was shown to can confirm having it.');
    expect(await newestOf(made.id)).toMatchObject({ unconfirmed: { shown_to: named(admin) } });
  });

  test('is refused for a token that was replaced since', async () => {
    const made = await create(admin);
    await rotate(admin, made.id);
    const response = await confirm(admin, made.id, lastFour(made.token));
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      last_four: ['The key has another token now.'],
    });
  });

  test('needs the last four characters', async () => {
    const made = await create(admin);
    expect((await confirm(admin, made.id, 'abc')).status).toBe(422);
  });
});

describe('a replacement for an unconfirmed token', () => {
  test('is shown, the replaced token never works, and older tokens keep their deadlines', async () => {
    const key = await keyInUse();
    const lost = await rotate(support, key.id, { grace_period_seconds: 7200 });
    const promised = inHours(2);
    ctx.clock.advance(hourMs);
    const response = await replace(support, key.id, lastFour(lost));

    expect(response.status).toBe(201);
    const { token: fresh, message } = dataOf(response) as unknown as Record<string, string>;
    expect(message).toBe(
      `Save this token now; it will not be shown again. The old token stays valid for 1 hour, until ${promised}. The token ending in ${lastFour(lost)}, which was never used, has stopped working.`,
    );
    expect(await statuses([key.token, lost, fresh ?? ''])).toEqual([200, 401, 200]);
    expect((await read(key.id)).tokens).toMatchObject([
      { last_four: lastFour(fresh ?? ''), valid_until: null },
      { last_four: key.lastFour, valid_until: promised },
    ]);
  });

  test('is unconfirmed itself, and the rotation can be undone as before', async () => {
    const key = await keyInUse();
    const lost = await rotate(support, key.id);
    ctx.clock.advance(hourMs);
    const fresh = tokenOf(await replace(admin, key.id, lastFour(lost)));
    expect(await newestOf(key.id)).toMatchObject({
      unconfirmed: { since: inHours(0), shown_to: named(admin), undo_restores: key.lastFour },
    });
    // Support does not end a token that somebody else was shown.
    expect((await undo(support, key.id, lastFour(fresh))).status).toBe(403);
    expect((await undo(admin, key.id, lastFour(fresh))).status).toBe(204);
    expect(await statuses([key.token, fresh])).toEqual([200, 401]);
  });

  test('of a new key leaves that key one token', async () => {
    const made = await create(admin);
    const response = await replace(admin, made.id, lastFour(made.token));
    expect(dataOf(response)['message']).toBe(
      `Save this token now; it will not be shown again. The token ending in ${lastFour(made.token)}, which was never used, has stopped working.`,
    );
    expect((await read(made.id)).tokens).toHaveLength(1);
    expect(await statuses([made.token, tokenOf(response)])).toEqual([401, 200]);
  });

  test('is audited', async () => {
    const made = await create(admin);
    const fresh = tokenOf(await replace(owner, made.id, lastFour(made.token)));
    expect((await auditOf(made.uuid)).at(-1)).toEqual([
      'api_key.token_replaced',
      { last_four: lastFour(fresh), replaced_last_four: lastFour(made.token) },
    ]);
  });

  test('is named in the refusal to rotate the replaced token', async () => {
    const made = await create(admin);
    ctx.clock.advance(hourMs);
    const fresh = tokenOf(await replace(owner, made.id, lastFour(made.token)));
    const body = { expected_last_four: lastFour(made.token) };
    const response = await call(admin, 'POST', `/api/v1/api-keys/${made.id}/rotate`, body);
    expect(detailsOf(response)).toEqual({
      expected_last_four: [
        `The unused token of this key was replaced at ${inHours(0)}, and ${owner.personName} was shown the new one, which ends in ${lastFour(fresh)}.`,
      ],
    });
  });

  test('whose response was lost can be replaced again', async () => {
    const made = await create(admin);
    const first = await replace(admin, made.id, lastFour(made.token), 'replace-1');
    const second = await replace(admin, made.id, lastFour(made.token), 'replace-1');
    expect(await statuses([tokenOf(first), tokenOf(second)])).toEqual([401, 200]);
  });

  test('that somebody confirmed is not replaced by a repeated request', async () => {
    const made = await create(admin, 'create-1');
    const fresh = tokenOf(await replace(owner, made.id, lastFour(made.token)));
    await confirm(owner, made.id, lastFour(fresh));
    const response = await send(admin, 'create-1');
    expect(response.status).toBe(422);
    expect(detailsOf(response)['Idempotency-Key']?.[0]).toMatch(/^Somebody confirmed having/);
    expect(await statuses([fresh])).toEqual([200]);
  });

  test('is not replaced by the repeated request of another person', async () => {
    const key = await keyInUse();
    const again = { body: {}, name: 'rotate-1' };
    const rotateAgain = async () => await post(support, `/api/v1/api-keys/${key.id}/rotate`, again);
    const lost = tokenOf(await rotateAgain());
    const fresh = tokenOf(await replace(owner, key.id, lastFour(lost)));
    expect(detailsOf(await rotateAgain())['Idempotency-Key']?.[0]).toContain(
      `was replaced, and ${owner.personName} was shown the new one.`,
    );
    expect(await statuses([fresh])).toEqual([200]);
  });

  test('is refused once the token was used, confirmed or replaced', async () => {
    const used = await create(admin);
    await use(used.token);
    expect(detailsOf(await replace(admin, used.id, lastFour(used.token)))).toEqual({
      api_key: [
        `The token ending in ${lastFour(used.token)} was used, so somebody has it. Rotate the key instead.`,
      ],
    });
    const confirmed = await create(admin);
    await confirm(admin, confirmed.id, lastFour(confirmed.token));
    expect(detailsOf(await replace(admin, confirmed.id, lastFour(confirmed.token)))).toEqual({
      api_key: [
        `Somebody confirmed having the token ending in ${lastFour(confirmed.token)}. Rotate the key instead.`,
      ],
    });
    const replaced = await create(admin);
    await rotate(owner, replaced.id);
    expect(detailsOf(await replace(admin, replaced.id, lastFour(replaced.token)))).toHaveProperty(
      'expected_last_four',
    );
  });

  test('is refused for a revoked key', async () => {
    const made = await create(admin);
    await call(admin, 'DELETE', `/api/v1/api-keys/${made.id}`);
    expect(detailsOf(await replace(admin, made.id, lastFour(made.token)))).toEqual({
      api_key: ['This key is revoked. Create a new one.'],
    });
  });

  test('is refused to support if the token was shown to somebody else', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    const response = await replace(support, key.id, lastFour(lost));
    expect(response.status).toBe(403);
    expect(response.text).toContain(`was shown to ${admin.personName}`);
  });

  test('is refused to those who must not see it', async () => {
    const made = await create(admin, null, { type: 'full' });
    expect((await replace(support, made.id, lastFour(made.token))).status).toBe(403);
  });
});

describe('undoing a rotation', () => {
  test('gives the old token exactly the end it had, and ends the new one', async () => {
    const key = await keyInUse();
    const before = await read(key.id);
    const lost = await rotate(admin, key.id);
    ctx.clock.advance(hourMs);
    expect((await undo(admin, key.id, lastFour(lost))).status).toBe(204);

    expect(await statuses([key.token, lost])).toEqual([200, 401]);
    const after = await read(key.id);
    expect(withoutUse(after)).toEqual(withoutUse(before));
    ctx.clock.advance(30 * dayMs);
    expect(await statuses([key.token])).toEqual([200]);
  });

  test('leaves older tokens their deadlines, and the key its expiry', async () => {
    const key = await keyInUse({ expiresAt: inHours(72) });
    const second = await rotate(admin, key.id, { grace_period_seconds: 7200 });
    await use(second);
    const before = await read(key.id);
    const lost = await rotate(admin, key.id);
    expect((await undo(owner, key.id, lastFour(lost))).status).toBe(204);
    expect(withoutUse(await read(key.id))).toEqual(withoutUse(before));
    ctx.clock.advance(72 * hourMs);
    expect(await statuses([second])).toEqual([401]);
  });

  test('is audited with both tokens', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    await undo(admin, key.id, lastFour(lost));
    expect((await auditOf(key.uuid)).at(-1)).toEqual([
      'api_key.rotation_undone',
      { last_four: key.lastFour, ended_last_four: lastFour(lost) },
    ]);
  });

  test('is named in the refusal to repeat the rotation', async () => {
    const key = await keyInUse();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const lost = tokenOf(await post(admin, path, { body: {}, name: 'rotate-1' }));
    await undo(admin, key.id, lastFour(lost));
    expect(detailsOf(await post(admin, path, { body: {}, name: 'rotate-1' }))).toEqual({
      'Idempotency-Key': [
        `The token that this request made has ended: the rotation was undone. To get another token, rotate key ${key.id} with a new Idempotency-Key.`,
      ],
    });
    expect(await statuses([key.token, lost])).toEqual([200, 401]);
  });

  test('is audited for the request that the rotation fulfilled, which stays closed', async () => {
    const key = await keyInUse();
    const other = String(await ask(key.id, 'scheduled'));
    await decline(owner, other);
    const request = String(await ask(key.id, 'scheduled'));
    const response = await call(
      owner,
      'POST',
      `/api/dashboard/rotation-requests/${request}/rotate`,
    );
    expect((await undo(owner, key.id, lastFour(tokenOf(response)))).status).toBe(204);
    const actions = async (uuid: string) => (await auditOf(uuid)).map(([action]) => action);
    expect(await actions(request)).toEqual([
      'rotation_request.created',
      'rotation_request.done',
      'rotation_request.rotation_undone',
    ]);
    expect((await actions(other)).at(-1)).toBe('rotation_request.declined');
    const path = `/api/dashboard/rotation-requests/${request}/rotate`;
    expect((await call(owner, 'POST', path)).status).toBe(422);
  });

  test('succeeds again without changing anything', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    await undo(admin, key.id, lastFour(lost));
    const entries = await auditOf(key.uuid);
    expect((await undo(admin, key.id, lastFour(lost))).status).toBe(204);
    expect(await auditOf(key.uuid)).toEqual(entries);
    expect(await statuses([key.token, lost])).toEqual([200, 401]);
    expect((await undo(await person('viewer'), key.id, lastFour(lost))).status).toBe(403);
  });

  test('is refused after a later rotation of the key', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    await undo(admin, key.id, lastFour(lost));
    const later = await rotate(owner, key.id);
    expect(detailsOf(await undo(admin, key.id, lastFour(lost)))).toEqual({
      expected_last_four: [`This key was already rotated at ${inHours(0)} by ${owner.personName}.`],
    });
    expect(await statuses([key.token, later])).toEqual([200, 200]);
  });

  test('is named in the refusal to rotate the undone token', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    await undo(admin, key.id, lastFour(lost));
    const body = { expected_last_four: lastFour(lost) };
    const response = await call(admin, 'POST', `/api/v1/api-keys/${key.id}/rotate`, body);
    expect(detailsOf(response)).toEqual({
      expected_last_four: [
        `The rotation to the token ending in ${lastFour(lost)} was undone. The newest token of this key ends in ${key.lastFour}.`,
      ],
    });
  });

  test('undoes two rotations if the second replaced a token that nobody had', async () => {
    const key = await keyInUse();
    await rotate(admin, key.id);
    const lost = await rotate(admin, key.id);
    expect(await newestOf(key.id)).toMatchObject({ unconfirmed: { undo_restores: key.lastFour } });
    expect((await undo(admin, key.id, lastFour(lost))).status).toBe(204);
    expect((await read(key.id)).tokens).toMatchObject([
      { last_four: key.lastFour, valid_until: null },
    ]);
  });

  test('is for whoever rotated the key, an owner or an admin', async () => {
    const key = await keyInUse();
    const byAdmin = await rotate(admin, key.id);
    expect((await undo(support, key.id, lastFour(byAdmin))).status).toBe(403);
    expect((await undo(owner, key.id, lastFour(byAdmin))).status).toBe(204);
    const bySupport = await rotate(support, key.id);
    expect((await undo(support, key.id, lastFour(bySupport))).status).toBe(204);
  });

  test.each([
    ['the new token was used', async (_: number, lost: string) => await use(lost)],
    ['the old token has ended', async () => ctx.clock.advance(dayMs)],
    [
      'the old token was ended',
      async (id: number) => await call(admin, 'DELETE', `/api/v1/api-keys/${id}/previous-token`),
    ],
    [
      'the key was revoked',
      async (id: number) => await call(admin, 'DELETE', `/api/v1/api-keys/${id}`),
    ],
  ])('is refused once %s', async (_, happen) => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    await happen(key.id, lost);
    const response = await undo(admin, key.id, lastFour(lost));
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toHaveProperty('api_key');
  });

  test.each([
    ['the token before the newest', () => 'previous-token'],
    ['that one token', (old: ApiKeyToken | undefined) => `tokens/${old?.id}`],
  ])('never restores a token that was ended while the undo waited: %s', async (_, pathOf) => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    const [, old] = (await read(key.id)).tokens;
    const { promise: ended, resolve: letGo } = Promise.withResolvers<void>();
    const undoing = undoRotation({ ...ctx, db: waiting(ctx.db, ended) }, admin, {
      apiKey: key.uuid,
      expected_last_four: lastFour(lost),
    });
    ctx.clock.advance(1);
    await call(admin, 'DELETE', `/api/v1/api-keys/${key.id}/${pathOf(old)}`);
    letGo();
    await expect(undoing).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await statuses([key.token, lost])).toEqual([401, 200]);
  });

  test('is refused after a leak, whoever rotated the key', async () => {
    const key = await keyInUse();
    await ask(key.id, 'leaked');
    const lost = await rotate(admin, key.id);
    expect(await newestOf(key.id)).toMatchObject({ unconfirmed: { undo_restores: null } });
    expect((await undo(admin, key.id, lastFour(lost))).status).toBe(422);
  });

  test('is refused while a leak is reported that came after the rotation', async () => {
    const key = await keyInUse();
    const lost = await rotate(admin, key.id);
    const request = await ask(key.id, 'leaked');
    expect(await restoredByUndo(key.id)).toEqual([null, null, null]);
    const response = await undo(admin, key.id, lastFour(lost));
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toHaveProperty('api_key', [
      'Somebody reported that a token of this key may have leaked, so its rotation cannot be undone. Revoke or rotate the key, or decline the request first.',
    ]);

    await decline(owner, String(request));
    expect(await restoredByUndo(key.id)).toEqual([key.lastFour, key.lastFour, key.lastFour]);
    expect((await undo(admin, key.id, lastFour(lost))).status).toBe(204);
    expect(await statuses([key.token, lost])).toEqual([200, 401]);
  });

  test('is refused for a key that was never rotated, and for another token than the newest', async () => {
    const made = await create(admin);
    expect((await undo(admin, made.id, lastFour(made.token))).status).toBe(422);
    const response = await undo(admin, made.id, 'none');
    expect(detailsOf(response)).toHaveProperty('expected_last_four');
  });
});

describe('API keys cannot call', () => {
  test.each(['confirm-token', 'replace-unconfirmed-token', 'undo-rotation'])('%s', async (act) => {
    const made = await create(admin);
    const path = `/api/dashboard/api-keys/${made.id}/${act}`;
    const body = { last_four: lastFour(made.token), expected_last_four: lastFour(made.token) };
    expect((await api.call('POST', path, { body })).status).toBe(401);
    expect((await api.call('POST', path, { token, body })).status).not.toBeLessThan(400);
    expect((await call(await person('viewer'), 'POST', path, body)).status).toBe(403);
    const stranger = await (await api.account()).member('owner');
    expect((await call(stranger, 'POST', path, body)).status).not.toBe(204);
    expect(await newestOf(made.id)).toMatchObject({ unconfirmed: { shown_to: named(admin) } });
  });
});

describe('a day later', () => {
  test('a person who turned such emails off gets none, and the dashboard still shows it', async () => {
    const turnedOffMails: MailPreference[] = ['api_keys'];
    await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, admin.personId));
    const made = await create(admin);
    ctx.clock.advance(dayMs);
    await mailUnconfirmedTokens(ctx);
    expect(mailsTo(admin)).toEqual([]);
    expect(await newestOf(made.id)).toMatchObject({ unconfirmed: { shown_to: named(admin) } });
  });

  test('the person who was shown a token gets one email', async () => {
    const made = await create(admin, null, { name: 'Billing sync' });
    ctx.clock.advance(dayMs - 1);
    await mailUnconfirmedTokens(ctx);
    expect(mailsTo(admin)).toEqual([]);
    ctx.clock.advance(1);
    await mailUnconfirmedTokens(ctx);
    await mailUnconfirmedTokens(ctx);

    const mails = mailsTo(admin);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe(
      'Nobody confirmed having the token of the API key "Billing sync"',
    );
    expect(mails[0]?.text).toContain(lastFour(made.token));
    expect(mails[0]?.text).toContain(`/a/${account.id}/settings/api-keys/${made.id}`);
    expect(await statuses([made.token])).toEqual([200]);
  });

  test.each([
    ['admin', null, /lets you say that you have it, or be shown a new one\./],
    ['support', ['webhooks:read'], /lets you say that you have it, or be shown a new one\./],
    ['support', null, /lets you say that you have it\. For a new one, ask an owner or an admin\./],
    ['viewer', null, /no longer lets you confirm .+ Ask an owner or an admin\./],
  ] as const)(
    'the email offers only what they may do as %s of a key with the scopes %j',
    async (role, scopes, offer) => {
      const made = await create(admin, null, {
        type: scopes ? 'limited' : 'full',
        ...(scopes && { scopes }),
      });
      const membership = eq(members.personId, admin.personId);
      await ctx.db.update(members).set({ role }).where(membership);
      await passADay();
      expect(mailsTo(admin)[0]?.text).toMatch(offer);
      expect(mailsTo(admin)[0]?.text).toContain(lastFour(made.token));
    },
  );

  test('the person who replaced it gets another email about the new token', async () => {
    const made = await create(admin);
    await passADay();
    await replace(admin, made.id, lastFour(made.token));
    await passADay();
    expect(mailsTo(admin)).toHaveLength(2);
  });

  test.each([
    ['it was used', async ({ token: made }: Made) => await use(made)],
    [
      'it was confirmed',
      async ({ id, token: made }: Made) => await confirm(admin, id, lastFour(made)),
    ],
    ['its key was rotated', async ({ id }: Made) => await rotate(owner, id)],
    [
      'its key was revoked',
      async ({ id }: Made) => await call(owner, 'DELETE', `/api/v1/api-keys/${id}`),
    ],
    [
      'they left the account',
      async () => await ctx.db.delete(members).where(eq(members.personId, admin.personId)),
    ],
  ])('no email is sent if %s', async (_, happen) => {
    const made = await create(admin);
    await happen(made);
    await passADay();
    expect(mailsTo(admin)).toEqual([]);
  });
});

type Made = { id: number; uuid: string; token: string };

async function person(role: Role): Promise<PersonActor> {
  return await account.member(role);
}

async function call(
  by: PersonActor,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  return await callAs(api, by, [method, path, body]);
}

/** Calls as a person, with an `Idempotency-Key`. */
async function post(
  by: PersonActor,
  path: string,
  { body, name }: { body: unknown; name: string | null },
): Promise<ApiResponse> {
  return await api.call('POST', path, {
    token: ctx.dashboardCredential ?? '',
    headers: {
      'X-Dashboard-Session': by.personId,
      ...(name !== null && { 'Idempotency-Key': name }),
    },
    body,
  });
}

async function send(
  by: PersonActor,
  name: string | null,
  part: { name?: string; type?: string; scopes?: readonly Scope[] } = {},
): Promise<ApiResponse> {
  const body = { name: 'Billing', type: 'webhook', ...part };
  return await post(by, '/api/v1/api-keys', { body, name });
}

async function create(
  by: PersonActor,
  name: string | null = null,
  part: { name?: string; type?: string; scopes?: readonly Scope[] } = {},
): Promise<Made> {
  const response = await send(by, name, part);
  expect(response.status).toBe(201);
  return dataOf(response) as unknown as Made;
}

/** A key that support may see the token of, and whose token is in use. */
async function keyInUse(about: { expiresAt?: string } = {}) {
  const key = await account.key({ scopes: ['webhooks:read'], ...about });
  await use(key.token);
  return key;
}

async function rotate(by: PersonActor, id: number, body: unknown = {}): Promise<string> {
  return tokenOf(await call(by, 'POST', `/api/v1/api-keys/${id}/rotate`, body));
}

async function confirm(by: PersonActor, id: number, four: string): Promise<ApiResponse> {
  return await call(by, 'POST', `/api/dashboard/api-keys/${id}/confirm-token`, { last_four: four });
}

async function replace(
  by: PersonActor,
  id: number,
  four: string,
  name: string | null = null,
): Promise<ApiResponse> {
  const path = `/api/dashboard/api-keys/${id}/replace-unconfirmed-token`;
  return await post(by, path, { body: { expected_last_four: four }, name });
}

async function undo(by: PersonActor, id: number, four: string): Promise<ApiResponse> {
  const path = `/api/dashboard/api-keys/${id}/undo-rotation`;
  return await call(by, 'POST', path, { expected_last_four: four });
}

/** Has support ask the owner to rotate the key. */
async function ask(id: number, reason: string): Promise<unknown> {
  const response = await call(support, 'POST', `/api/dashboard/api-keys/${id}/rotation-requests`, {
    member: owner.personId,
    reason,
  });
  expect(response.status).toBe(201);
  return dataOf(response)['uuid'];
}

async function decline(by: PersonActor, request: string): Promise<void> {
  const path = `/api/dashboard/rotation-requests/${request}/decline`;
  expect((await call(by, 'POST', path, { reason: 'later' })).status).toBe(204);
}

async function read(id: number): Promise<ApiKey> {
  const response = await api.call('GET', `/api/v1/api-keys/${id}`, { token });
  return (response.body as { data: ApiKey }).data;
}

async function newestOf(id: number) {
  return (await read(id)).tokens[0];
}

/**
 * The token to which a rotation can be undone, according to the key, the list and a change of its
 * name.
 */
async function restoredByUndo(id: number): Promise<unknown[]> {
  const list = await api.call('GET', '/api/v1/api-keys', { token });
  const keys = (list.body as { data: ApiKey[] }).data;
  const renamed = await call(owner, 'PATCH', `/api/v1/api-keys/${id}`, { name: 'Renamed' });
  return [
    await read(id),
    keys.find((key) => key.id === id),
    dataOf(renamed) as unknown as ApiKey,
  ].map((key) => key?.tokens[0]?.unconfirmed?.undo_restores);
}

/** A key without the fields that calls change. */
function withoutUse({ last_used_at: _at, last_used_ip: _ip, tokens, ...key }: ApiKey) {
  return { ...key, tokens: tokens.map(({ last_used_at: _used, ...each }) => each) };
}

async function auditOf(uuid: string): Promise<[string, unknown][]> {
  const entries = await ctx.db.query.auditEntries.findMany({
    where: eq(auditEntries.accountId, account.id),
    orderBy: (entry, { asc }) => asc(entry.id),
  });
  return entries
    .filter(({ target }) => target.id === uuid)
    .map(({ action, changes }) => [action, changes]);
}

/** The database, whose transactions begin only after `until`. */
function waiting(db: Db, until: Promise<void>): Db {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'transaction' || typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        await until;
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}

async function use(made: string): Promise<void> {
  expect((await api.call('GET', '/api/v1/api-key', { token: made })).status).toBe(200);
}

async function statuses(tokens: readonly string[]): Promise<number[]> {
  const responses = tokens.map((each) => api.call('GET', '/api/v1/api-key', { token: each }));
  return (await Promise.all(responses)).map(({ status }) => status);
}

async function passADay(): Promise<void> {
  ctx.clock.advance(dayMs);
  await mailUnconfirmedTokens(ctx);
}

function mailsTo({ email }: PersonActor) {
  return ctx.mails.filter(({ to }) => to === email);
}

function named({ personId, personName }: PersonActor) {
  return { kind: 'person', id: personId, name: personName };
}

function tokenOf(response: ApiResponse): string {
  expect(response.text).toContain('sk_live_');
  return String(dataOf(response)['token']);
}

function lastFour(made: string): string {
  return made.slice(-4);
}

function inHours(hours: number): string {
  return new Date(ctx.clock.now().getTime() + hours * hourMs).toISOString().replace('Z', '+00:00');
}
