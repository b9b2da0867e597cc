import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Incident,
  IncidentKeys,
  IncidentPreview,
  IncidentWithKeys,
} from '#lib/contract/api-keys/incident.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { apiKeyTokens, tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { advanceIncidents } from '../../../domain/api-keys/incident/advance-incidents.ts';
import { deleteOldUses } from '../../../domain/api-keys/incident/delete-old-uses.ts';
import { mailUnconfirmedTokens } from '../../../domain/api-keys/unconfirmed/mail-unconfirmed-tokens.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { callAs, withSessionsById } from '../../../testing/sessions.ts';

/** Many keys rotated or revoked at once: which keys, what would end, and the result of each. */
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: PersonActor;
let admin: PersonActor;

type Key = Awaited<ReturnType<TestAccount['key']>>;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  account = await api.account();
  [owner, admin] = await Promise.all([account.member('owner'), account.member('admin')]);
});

describe('the keys of an incident are chosen', () => {
  test('by who created them: a member, or a key', async () => {
    const own = await account.key({ name: 'By the owner' });
    const byAdmin = await createAs(admin, 'By the admin');
    const body = { name: 'By a key', type: 'bot' };
    await api.call('POST', '/api/v1/api-keys', { token: own.token, body });
    expect(await chosen({ created_by: `person:${owner.personId}` })).toEqual(['By the owner']);
    expect(await chosen({ created_by: `person:${admin.personId}` })).toEqual(['By the admin']);
    expect(await chosen({ created_by: `api_key:${own.uuid}` })).toEqual(['By a key']);
    expect(byAdmin.status).toBe(201);
    expect((await list()).creators).toEqual([
      { creator: `api_key:${own.uuid}`, name: 'By the owner', kind: 'api_key', keys: 1 },
      { creator: `person:${admin.personId}`, name: 'Ida admin', kind: 'person', keys: 1 },
      { creator: `person:${owner.personId}`, name: 'Ida owner', kind: 'person', keys: 1 },
    ]);
  });

  test('by when they were created: from one moment on, and before another', async () => {
    await account.key({ name: 'First' });
    ctx.clock.advance(hourMs);
    const between = ctx.clock.now().toISOString();
    await account.key({ name: 'Second' });
    ctx.clock.advance(hourMs);
    const after = ctx.clock.now().toISOString();
    await account.key({ name: 'Third' });
    expect(await chosen({ created_after: between })).toEqual(['Third', 'Second']);
    expect(await chosen({ created_before: between })).toEqual(['First']);
    expect(await chosen({ created_after: between, created_before: after })).toEqual(['Second']);
  });

  test('by every address they were used from, not only the last one', async () => {
    const [roaming, elsewhere] = [await named('Roaming'), await named('Elsewhere')];
    await named('Never used');
    await use(roaming, { from: '198.51.100.7' });
    await use(roaming, { from: '203.0.113.9' });
    await use(elsewhere, { from: '2001:db8::1' });
    expect(await chosen({ address: '198.51.100.7' })).toEqual(['Roaming']);
    expect(await chosen({ address: ' 198.51.100.0/24 ' })).toEqual(['Roaming']);
    expect(await chosen({ address: '203.0.113.0/24' })).toEqual(['Roaming']);
    expect(await chosen({ address: '2001:db8::/32' })).toEqual(['Elsewhere']);
    expect(await chosen({ address: '192.0.2.0/24' })).toEqual([]);
  });

  test('by the last address alone, if it was stored before other addresses were', async () => {
    const key = await named('Of an earlier version');
    await ctx.db
      .update(apiKeyTokens)
      .set({ lastUsedAt: ctx.clock.now(), lastUsedIp: '198.51.100.8' })
      .where(eq(apiKeyTokens.apiKeyId, key.id));
    expect(await chosen({ address: '198.51.100.0/24' })).toEqual(['Of an earlier version']);
  });

  test('only by an address or a network, not by other texts', async () => {
    const response = await ask(
      owner,
      'GET',
      `incident-keys?address=${encodeURIComponent('my laptop')}`,
    );
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      address: ['Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.'],
    });
  });

  test('by all of these together, and without any of them all active keys', async () => {
    const revoked = await named('Revoked');
    await ask(owner, 'DELETE', `/api/v1/api-keys/${revoked.id}`);
    const soon = new Date(ctx.clock.now().getTime() + minuteMs).toISOString();
    await account.key({ name: 'Expired', expiresAt: soon });
    ctx.clock.advance(minuteMs);
    const key = await named('Alive');
    await use(key, { from: '198.51.100.7' });
    await named('Alive too');
    expect(await chosen({})).toEqual(['Alive too', 'Alive']);
    const creator = `person:${owner.personId}`;
    expect(await chosen({ created_by: creator, address: '198.51.100.7' })).toEqual(['Alive']);
    expect(await list()).toMatchObject({ live_keys: 2 });
  });
});

describe('the calls that would end', () => {
  test('are the hourly rate of the last full hour and this one, and the calls of the last day', async () => {
    await toNextHour();
    const key = await named('Busy');
    for (let made = 0; made < 6; made += 1) await use(key);
    ctx.clock.advance(hourMs + 30 * minuteMs);
    for (let made = 0; made < 3; made += 1) await use(key);
    expect(await list()).toMatchObject({
      keys: [{ calls_per_hour: 6, calls_last_day: 9, is_in_use: true }],
      counted: { until: inApiTime(0), hour_from: inApiTime(-90 * minuteMs) },
    });
    // Nine calls in an hour and a half are six an hour; the first six leave the hour, and later the
    // day.
    ctx.clock.advance(hourMs);
    expect((await list()).keys).toMatchObject([
      { calls_per_hour: 2, calls_last_day: 9, is_in_use: false },
    ]);
    ctx.clock.advance(23 * hourMs);
    expect((await list()).keys).toMatchObject([{ calls_per_hour: 0, calls_last_day: 3 }]);
  });

  test('are not stated for a time before counting began', async () => {
    await ctx.usage.flush();
    await ctx.db.delete(tokenCalls);
    await toNextHour();
    ctx.clock.advance(20 * minuteMs);
    await use(await named('First of all'));
    expect(await list()).toMatchObject({
      keys: [{ calls_per_hour: 1 }],
      counted: { hour_from: inApiTime(-20 * minuteMs), day_from: inApiTime(-20 * minuteMs) },
    });
  });

  test('are all calls of a key to revoke, with whichever token', async () => {
    await toNextHour();
    const key = await named('Rotating');
    await use(key);
    const newer = await rotate(key);
    for (let made = 0; made < 2; made += 1) await use({ ...key, token: newer });
    await named('Idle');
    expect(await preview({ act: 'revoke' })).toMatchObject({
      keys: [
        { name: 'Idle', live_tokens: 1, tokens_ending_now: 1, calls_ending_now: 0 },
        { name: 'Rotating', live_tokens: 2, tokens_ending_now: 2, calls_ending_now: 3 },
      ],
      totals: {
        keys: 2,
        skipped: 0,
        live_tokens: 3,
        tokens_ending_now: 3,
        tokens_ending_later: 0,
        calls_ending_now: 3,
        calls_ending_later: 0,
        calls_last_day: 3,
        keys_in_use: 1,
      },
    });
  });

  test('of a rotation are those with all tokens at once, or later with a grace period', async () => {
    await toNextHour();
    const key = await named('Rotating');
    await use(key);
    const newer = await rotate(key);
    for (let made = 0; made < 2; made += 1) await use({ ...key, token: newer });
    expect((await preview({ act: 'rotate' })).totals).toMatchObject({
      tokens_ending_now: 2,
      calls_ending_now: 3,
      calls_ending_later: 0,
    });
    // The older token ends when it would have ended anyway.
    expect((await preview({ act: 'rotate', grace_period_seconds: 3600 })).totals).toMatchObject({
      live_tokens: 2,
      tokens_ending_now: 0,
      tokens_ending_later: 1,
      calls_ending_now: 0,
      calls_ending_later: 2,
      calls_last_day: 2,
    });
  });

  test('are shown without changing anything, or asking for a proof', async () => {
    const key = await named('Untouched');
    await preview({ act: 'revoke' });
    await preview({ act: 'rotate' });
    await advanceIncidents(ctx);
    expect((await use(key)).status).toBe(200);
    expect(await auditedSince('Untouched')).toEqual(['api_key.created']);
  });

  test('count each key once, however its UUID is spelled', async () => {
    const { uuid } = await named('Server');
    const previewed = async (keys: string[]) =>
      await ask(owner, 'POST', 'incident-preview', { act: 'revoke', keys });
    expect(detailsOf(await previewed([uuid, uuid.toUpperCase()]))).toEqual({
      keys: ['Give each key once.'],
    });
    expect(dataOf(await previewed([uuid.toUpperCase()]))).toMatchObject({
      keys: [{ uuid }],
      totals: { keys: 1 },
    });
  });
});

describe('a run', () => {
  test('that rotates gives each key a token nobody was shown, and ends the older ones at once', async () => {
    const keys = [await named('One'), await named('Two')];
    for (const key of keys) await use(key);
    const started = await start(owner, { act: 'rotate' });
    expect(started).toMatchObject({
      state: 'running',
      act: 'rotate',
      grace_period_seconds: 0,
      reason: 'Laptop stolen',
      created_by: { name: 'Ida owner' },
      counts: { waiting: 2, done: 0 },
    });
    await advanceIncidents(ctx);
    const done = await get(started);
    expect(done).toMatchObject({
      state: 'done',
      counts: { waiting: 0, done: 2, failed: 0, skipped: 0, cancelled: 0 },
      keys: keys.toReversed().map(({ lastFour }) => ({ last_four: lastFour, result: 'done' })),
    });
    for (const key of keys) {
      expect((await use(key)).status).toBe(401);
      const [newest, ...older] = await tokensOf(key);
      expect(older).toEqual([]);
      expect(newest).toMatchObject({
        unconfirmed: { shown_to: null, undo_restores: null },
        created_by: { name: 'Ida owner' },
      });
    }
    expect(JSON.stringify(done)).not.toContain('sk_live_');
  });

  test('that rotates lets whoever may see a token get a new one, once for each key', async () => {
    const key = await named('One');
    await start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    const [hidden] = await tokensOf(key);
    const path = `api-keys/${key.id}/replace-unconfirmed-token`;
    const shown = await ask(admin, 'POST', path, { expected_last_four: hidden?.['last_four'] });
    expect(shown.status).toBe(201);
    const { token } = (shown.body as { data: { token: string } }).data;
    expect((await use({ ...key, token })).status).toBe(200);
  });

  test('whose tokens nobody was shown sends no email for each token', async () => {
    await Promise.all(Array.from({ length: 3 }, () => named('Waiting')));
    // Emails about tokens that were shown in the dashboard when the keys were created.
    ctx.clock.advance(25 * hourMs);
    await mailUnconfirmedTokens(ctx);
    await start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    const before = ctx.mails.length;
    ctx.clock.advance(25 * hourMs);
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails.length).toBe(before);
  });

  test('that rotates with a grace period leaves each newest token valid for that long', async () => {
    const key = await named('One');
    await use(key);
    await start(owner, { act: 'rotate', grace_period_seconds: 3600 });
    await advanceIncidents(ctx);
    expect((await use(key)).status).toBe(200);
    ctx.clock.advance(hourMs);
    expect((await use(key)).status).toBe(401);
  });

  test('that revokes ends every token of every key, with the reason', async () => {
    const [one, two] = [await named('One'), await named('Two')];
    const newer = await rotate(one);
    const started = await start(admin, { act: 'revoke' });
    await advanceIncidents(ctx);
    for (const token of [one.token, newer, two.token]) {
      expect((await use({ ...one, token })).status).toBe(401);
    }
    expect(await get(started)).toMatchObject({ grace_period_seconds: null, counts: { done: 2 } });
    const stored = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, account.id));
    expect(stored).toMatchObject([
      { revokedReason: 'Laptop stolen', revokedBy: { name: 'Ida admin' } },
      { revokedReason: 'Laptop stolen', revokedBy: { name: 'Ida admin' } },
    ]);
  });

  test.each(['rotate', 'revoke'] as const)(
    'to %s writes one audit entry for each key, with its id and reason and where it was begun',
    async (act) => {
      const keys = [await named('One'), await named('Two'), await named('Three')];
      const { uuid } = await start(owner, { act });
      await advanceIncidents(ctx);
      const entries = await ctx.db
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.accountId, account.id));
      const action = act === 'rotate' ? 'api_key.rotated' : 'api_key.revoked';
      const ofKeys = entries.filter((entry) => entry.action === action);
      expect(ofKeys.map(({ target }) => target.id).toSorted()).toEqual(
        keys.map((key) => key.uuid).toSorted(),
      );
      for (const entry of ofKeys) {
        expect(entry).toMatchObject({
          actor: { kind: 'person', id: owner.personId },
          changes: { incident: uuid, reason: 'Laptop stolen' },
          ip: '203.0.113.7',
        });
      }
      expect(entries.filter((entry) => entry.action === 'incident.started')).toMatchObject([
        { target: { id: uuid }, changes: { act, keys: 3 } },
      ]);
    },
  );

  test('changes 200 keys, which do not count as creations', async () => {
    const crowded = await api.account();
    const person = await crowded.member('owner');
    for (let made = 0; made < 200; made += 1) await crowded.key();
    const started = await start(person, { act: 'rotate' });
    for (let step = 0; step < 4; step += 1) await advanceIncidents(ctx);
    expect((await get(started, person)).counts).toMatchObject({ waiting: 0, done: 200 });
    await advanceIncidents(ctx);
    expect(await get(started, person)).toMatchObject({ state: 'done' });
    const body = { name: 'One more', type: 'bot' };
    const [spare] = (await list(person)).keys;
    await ask(person, 'DELETE', `/api/v1/api-keys/${spare?.uuid}`);
    expect((await ask(person, 'POST', '/api/v1/api-keys', body)).status).toBe(201);
  }, 300_000);

  test('emails the owners the results of the keys once, with a link to the incident', async () => {
    const second = await addPerson(ctx);
    await addMember(ctx, { accountId: account.id, personId: second.id, role: 'owner' });
    const ended = await named('Revoked before');
    await named('One');
    await named('Two');
    const started = await start(admin, { act: 'revoke' });
    await ask(owner, 'DELETE', `/api/v1/api-keys/${ended.id}`);
    const before = ctx.mails.length;
    await Promise.all(Array.from({ length: 3 }, () => advanceIncidents(ctx)));
    await advanceIncidents(ctx);
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([owner.email, second.email].toSorted());
    expect(mails[0]).toMatchObject({
      kind: 'incident.ended',
      subject: 'Incident: 2 of 3 API keys revoked',
    });
    expect(mails[0]?.text).toContain('"Ida admin" had 2 of 3 API keys revoked');
    expect(mails[0]?.text).toContain('Revoked: 2\nSkipped: 1\n');
    expect(mails[0]?.action.url).toMatch(
      new RegExp(`/a/${account.id}/settings/api-keys/incident/${started.uuid}$`),
    );
  });

  test('that is cancelled emails the owners who cancelled it, once', async () => {
    await named('One');
    const started = await start(owner, { act: 'revoke' });
    const before = ctx.mails.length;
    for (let time = 0; time < 2; time += 1) {
      await ask(admin, 'POST', `incidents/${started.uuid}/cancel`);
    }
    await advanceIncidents(ctx);
    expect(ctx.mails.slice(before)).toMatchObject([
      { to: owner.email, subject: 'Incident: 0 of 1 API key revoked' },
    ]);
    expect(ctx.mails.at(-1)?.text).toContain('"Ida admin" cancelled the rest.');
  });

  test('is listed in its account, newest first, with the criteria of its keys', async () => {
    await named('One');
    const choice = {
      created_by: `person:${owner.personId}`,
      created_after: '2026-01-01T00:00:00Z',
      address: '198.51.100.0/24',
    };
    await start(owner, { act: 'rotate', choice });
    await advanceIncidents(ctx);
    ctx.clock.advance(1);
    await start(admin, { act: 'revoke' });
    expect(await listed()).toMatchObject([
      { act: 'revoke', state: 'running', counts: { waiting: 1 } },
      {
        act: 'rotate',
        state: 'done',
        counts: { done: 1 },
        choice: {
          created_by: 'Ida owner',
          created_after: '2026-01-01T00:00:00.000+00:00',
          created_before: null,
          address: '198.51.100.0/24',
        },
      },
    ]);
  });

  test.each([
    ['address', 'a\0b'],
    ['created_by', 'person:\0'],
    ['address', '\u202e203.0.113.7'],
  ])('is not started with an unreadable %s among the criteria of its keys', async (field, text) => {
    await named('One');
    const keys = (await list()).keys.map(({ uuid }) => uuid);
    const body = beginning(keys, { act: 'revoke', choice: { [field]: text } });
    const response = await ask(owner, 'POST', 'incidents', body);
    expect(response).toMatchObject({ status: 422 });
    expect(Object.keys(detailsOf(response))).toEqual(['choice']);
    expect(await listed()).toEqual([]);
  });

  test('is removed with its audit entries', async () => {
    await named('One');
    await start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    ctx.clock.advance((ctx.config.auditRetentionDays - 1) * dayMs);
    await deleteOldUses(ctx, proceed);
    expect(await listed()).toHaveLength(1);
    ctx.clock.advance(2 * dayMs);
    await deleteOldUses(ctx, proceed);
    expect(await listed()).toEqual([]);
  });
});

describe('a run is not started', () => {
  test('without the confirmation that names the act and the number of keys', async () => {
    const key = await named('One');
    const body = { ...beginning([key.uuid], { act: 'revoke' }), confirmation: 'revoke 2 keys' };
    const refused = await ask(owner, 'POST', 'incidents', body);
    expect(detailsOf(refused)).toEqual({ confirmation: ['Type “revoke 1 key”.'] });
    expect((await use(key)).status).toBe(200);
  });

  test('with a token or a secret in its reason', async () => {
    const key = await named('One');
    for (const reason of [key.token, `whsec_${'a'.repeat(43)}=`]) {
      const body = { ...beginning([key.uuid], { act: 'revoke' }), reason };
      const refused = await ask(owner, 'POST', 'incidents', body);
      expect(detailsOf(refused)).toEqual({
        reason: ['Leave tokens and secrets out of the reason.'],
      });
    }
  });

  test('beside one that is running', async () => {
    const [one] = [await named('One')];
    await start(owner, { act: 'rotate' });
    const second = await ask(admin, 'POST', 'incidents', beginning([one.uuid], { act: 'revoke' }));
    expect(Object.keys(detailsOf(second))).toEqual(['incident']);
    await advanceIncidents(ctx);
    const third = await ask(admin, 'POST', 'incidents', beginning([one.uuid], { act: 'revoke' }));
    expect(third.status).toBe(201);
  });

  test.each(['a key of another account', 'a revoked key', 'no key'])('for %s', async (what) => {
    const own = await named('Own');
    const other = await (await api.account()).key();
    if (what === 'a revoked key') await ask(owner, 'DELETE', `/api/v1/api-keys/${own.id}`);
    const uuid = {
      'a key of another account': other.uuid,
      'a revoked key': own.uuid,
      'no key': crypto.randomUUID(),
    }[what];
    const body = beginning([String(uuid)], { act: 'revoke' });
    const { confirmation: _, choice: __, reason: ___, ...asked } = body;
    for (const response of [
      await ask(owner, 'POST', 'incidents', body),
      await ask(owner, 'POST', 'incident-preview', asked),
    ]) {
      expect(detailsOf(response)).toEqual({
        keys: ['Some of these keys are no longer active keys of this account. Reload the list.'],
      });
    }
    expect((await use(other)).status).toBe(200);
  });
});

describe('a key that cannot be changed', () => {
  test('because it ended before its turn is skipped with the reason, and the run continues', async () => {
    const soon = new Date(ctx.clock.now().getTime() + minuteMs).toISOString();
    await account.key({ name: 'Expired', expiresAt: soon });
    const revoked = await named('Revoked');
    await named('Changed');
    const started = await start(owner, { act: 'rotate' });
    await ask(owner, 'DELETE', `/api/v1/api-keys/${revoked.id}`);
    ctx.clock.advance(minuteMs);
    await advanceIncidents(ctx);
    expect(await get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done', problem: null },
        {
          name: 'Revoked',
          result: 'skipped',
          problem: 'This key was revoked before its turn.',
        },
        {
          name: 'Expired',
          result: 'skipped',
          problem: 'This key had expired before its turn.',
        },
      ],
    });
  });

  test('because of its state fails with the reason, and the run continues', async () => {
    const full = await named('Full of tokens');
    let { token } = full;
    for (let made = 0; made < 19; made += 1) {
      await use({ ...full, token });
      token = await rotate(full);
    }
    await use({ ...full, token });
    await named('Changed');
    const grace = { act: 'rotate', grace_period_seconds: 3600 } as const;
    expect((await preview(grace)).totals).toMatchObject({ keys: 1, skipped: 1 });
    const started = await start(owner, grace);
    await advanceIncidents(ctx);
    const { keys } = await get(started);
    expect(keys).toMatchObject([
      { name: 'Changed', result: 'done' },
      { name: 'Full of tokens', result: 'failed' },
    ]);
    expect(keys[1]?.problem).toMatch(/^This key has 20 valid tokens, the most it can have/);
    expect((await use({ ...full, token })).status).toBe(200);
  });

  test('because of its state can be tried again in an incident of its own', async () => {
    const full = await named('Full of tokens');
    let { token } = full;
    for (let made = 0; made < 19; made += 1) {
      await use({ ...full, token });
      token = await rotate(full);
    }
    await use({ ...full, token });
    await named('Changed');
    const first = await start(owner, { act: 'rotate', grace_period_seconds: 3600 });
    await advanceIncidents(ctx);
    const failed = (await get(first)).keys.filter(({ result }) => result === 'failed');
    expect(failed).toHaveLength(1);
    const again = beginning(
      failed.map(({ uuid }) => uuid),
      { act: 'rotate', grace_period_seconds: 0 },
    );
    const response = await ask(admin, 'POST', 'incidents', again);
    await advanceIncidents(ctx);
    const { data } = response.body as { data: IncidentWithKeys };
    expect(await get(data)).toMatchObject({
      created_by: { name: 'Ida admin' },
      counts: { done: 1 },
    });
    expect((await use({ ...full, token })).status).toBe(401);
  });

  test('because of an error is unchanged, says so, and the run continues', async () => {
    const [spared] = [await named('Spared'), await named('Changed')];
    const started = await start(owner, { act: 'revoke' });
    ctx.expectErrors(/a key of an incident could not be changed/);
    await advanceIncidents({ ...ctx, db: failingFor(spared) });
    expect(await get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done' },
        {
          name: 'Spared',
          result: 'failed',
          problem: 'Something went wrong, so this key is as it was.',
        },
      ],
    });
    expect((await use(spared)).status).toBe(200);
  });

  test('because the person who started the incident may no longer do it is skipped', async () => {
    const key = await named('One');
    const started = await start(admin, { act: 'revoke' });
    await ctx.db
      .update(members)
      .set({ role: 'support' })
      .where(eq(members.personId, admin.personId));
    await advanceIncidents(ctx);
    expect((await get(started)).keys).toMatchObject([
      { result: 'skipped', problem: 'Ida admin may no longer do this in the account.' },
    ]);
    expect((await use(key)).status).toBe(200);
  });
});

describe('a run that is cancelled', () => {
  test('leaves the waiting keys as they are, and says who cancelled it', async () => {
    const keys = [await named('One'), await named('Two')];
    const started = await start(owner, { act: 'revoke' });
    const cancelled = await ask(admin, 'POST', `incidents/${started.uuid}/cancel`);
    expect(cancelled.body).toMatchObject({
      data: {
        state: 'cancelled',
        cancelled_by: { name: 'Ida admin' },
        counts: { waiting: 0, cancelled: 2 },
      },
    });
    await advanceIncidents(ctx);
    for (const key of keys) expect((await use(key)).status).toBe(200);
    expect(await auditedSince('Laptop stolen')).toEqual(['incident.started', 'incident.cancelled']);
  });

  test('between two keys keeps the changes so far', async () => {
    const [later, first] = [await named('Later'), await named('First')];
    const started = await start(owner, { act: 'revoke' });
    let revoked = 0;
    const keyCache = {
      ...ctx.keyCache,
      evict(id: number) {
        ctx.keyCache.evict(id);
        revoked += 1;
      },
    };
    const cancelling = stopAfter(() => revoked === 1, started);
    await advanceIncidents({ ...ctx, keyCache: keyCache as typeof ctx.keyCache, db: cancelling });
    expect(await get(started)).toMatchObject({
      state: 'cancelled',
      keys: [
        { name: 'First', result: 'done' },
        { name: 'Later', result: 'cancelled' },
      ],
    });
    expect((await use(first)).status).toBe(401);
    expect((await use(later)).status).toBe(200);
  });

  test('after its end changes nothing', async () => {
    await named('One');
    const started = await start(owner, { act: 'revoke' });
    await advanceIncidents(ctx);
    const response = await ask(owner, 'POST', `incidents/${started.uuid}/cancel`);
    expect(response.body).toMatchObject({ data: { state: 'done', cancelled_by: null } });
  });
});

describe('a run that is interrupted', () => {
  test('continues with the waiting keys, and changes none twice', async () => {
    const keys = [await named('One'), await named('Two'), await named('Three')];
    const started = await start(owner, { act: 'rotate' });
    const crashed = new Error('the process was killed');
    await expect(advanceIncidents({ ...ctx, db: crashingAfter(1, crashed) })).rejects.toBe(crashed);
    const interrupted = await get(started);
    expect(interrupted).toMatchObject({ state: 'running', counts: { done: 1, waiting: 2 } });
    await advanceIncidents(ctx);
    expect(await get(started)).toMatchObject({ state: 'done', counts: { done: 3, waiting: 0 } });
    expect(await rotations(keys)).toEqual([1, 1, 1]);
  });

  test('is carried out once by two processes that do it at the same time', async () => {
    const keys = [await named('One'), await named('Two'), await named('Three')];
    const started = await start(owner, { act: 'rotate' });
    await Promise.all([advanceIncidents(ctx), advanceIncidents(ctx)]);
    expect((await get(started)).counts).toMatchObject({ done: 3 });
    expect(await rotations(keys)).toEqual([1, 1, 1]);
  });
});

test('call counts of tokens are kept for 48 hours, and their addresses for 30 days', async () => {
  const key = await named('One');
  await use(key, { from: '198.51.100.7' });
  ctx.clock.advance(1);
  await use(key, { from: '198.51.100.8' });
  await ctx.usage.flush();
  ctx.clock.advance(47 * hourMs);
  await deleteOldUses(ctx, proceed);
  expect(await countedOf(key)).toBe(2);
  ctx.clock.advance(2 * hourMs);
  await deleteOldUses(ctx, proceed);
  expect(await countedOf(key)).toBe(0);
  expect(await chosen({ address: '198.51.100.7' })).toEqual(['One']);
  ctx.clock.advance(30 * dayMs);
  await deleteOldUses(ctx, proceed);
  expect(await chosen({ address: '198.51.100.7' })).toEqual([]);
});

const proceed = async () => true;

async function ask(
  as: PersonActor,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  const whole = path.startsWith('/') ? path : `/api/dashboard/${path}`;
  return await callAs(api, as, [method, whole, body]);
}

async function list(as = owner, choice: Record<string, string> = {}): Promise<IncidentKeys> {
  const response = await ask(as, 'GET', `incident-keys?${new URLSearchParams(choice)}`);
  expect(response.status).toBe(200);
  return (response.body as { data: IncidentKeys }).data;
}

async function chosen(choice: Record<string, string>): Promise<string[]> {
  return (await list(owner, choice)).keys.map(({ name }) => name);
}

async function preview(asked: {
  act: 'rotate' | 'revoke';
  grace_period_seconds?: number;
}): Promise<IncidentPreview> {
  const keys = (await list()).keys.map(({ uuid }) => uuid);
  const response = await ask(owner, 'POST', 'incident-preview', { ...asked, keys });
  expect(response.status).toBe(200);
  return (response.body as { data: IncidentPreview }).data;
}

type Beginning = {
  act: 'rotate' | 'revoke';
  grace_period_seconds?: number;
  choice?: Record<string, string>;
};

function beginning(keys: readonly string[], { choice = {}, ...asked }: Beginning) {
  const confirmation = `${asked.act} ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`;
  return { ...asked, keys, choice, reason: 'Laptop stolen', confirmation };
}

/** For all active keys. */
async function start(as: PersonActor, about: Beginning): Promise<IncidentWithKeys> {
  const keys = (await list(as)).keys.map(({ uuid }) => uuid);
  const response = await ask(as, 'POST', 'incidents', beginning(keys, about));
  expect(response.status).toBe(201);
  return (response.body as { data: IncidentWithKeys }).data;
}

async function get({ uuid }: { uuid: string }, as = owner): Promise<IncidentWithKeys> {
  const response = await ask(as, 'GET', `incidents/${uuid}`);
  return (response.body as { data: IncidentWithKeys }).data;
}

async function listed(): Promise<Incident[]> {
  return ((await ask(owner, 'GET', 'incidents')).body as { data: Incident[] }).data;
}

async function named(name: string): Promise<Key> {
  return await account.key({ name });
}

async function createAs(as: PersonActor, name: string): Promise<ApiResponse> {
  return await ask(as, 'POST', '/api/v1/api-keys', { name, type: 'full' });
}

async function use(
  { token }: { token: string },
  { from = '203.0.113.7' } = {},
): Promise<ApiResponse> {
  const headers = { 'x-client-address': from };
  return await api.call('GET', '/api/v1/api-key', { token, headers });
}

/** As a client of the API, with the grace period of 24 hours. */
async function rotate({ id }: Key): Promise<string> {
  const response = await ask(owner, 'POST', `/api/v1/api-keys/${id}/rotate`, {});
  return (response.body as { data: { token: string } }).data.token;
}

async function tokensOf({ id }: Key): Promise<Record<string, unknown>[]> {
  const response = await ask(owner, 'GET', `/api/v1/api-keys/${id}`);
  return (response.body as { data: { tokens: Record<string, unknown>[] } }).data.tokens;
}

async function auditedSince(name: string): Promise<string[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id))
    .orderBy(auditEntries.id);
  return entries.filter(({ target }) => target.name === name).map(({ action }) => action);
}

/** How often each key was rotated. */
async function rotations(keys: readonly Key[]): Promise<number[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id));
  return keys.map(
    ({ uuid }) =>
      entries.filter(({ action, target }) => action === 'api_key.rotated' && target.id === uuid)
        .length,
  );
}

async function countedOf({ id }: Key): Promise<number> {
  const [token] = await ctx.db.select().from(apiKeyTokens).where(eq(apiKeyTokens.apiKeyId, id));
  const rows = await ctx.db
    .select()
    .from(tokenCalls)
    .where(eq(tokenCalls.tokenId, token?.id ?? 0));
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

async function toNextHour(): Promise<void> {
  ctx.clock.advance(hourMs - (ctx.clock.now().getTime() % hourMs));
}

function inApiTime(ms: number): string {
  return new Date(ctx.clock.now().getTime() + ms).toISOString().replace('Z', '+00:00');
}

type Transaction = TestContext['db']['transaction'];

/** The database, with `before` called before each transaction. */
function withTransactions(before: (count: number) => Promise<void>): TestContext['db'] {
  let count = 0;
  return new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name) as unknown;
      const transaction: Transaction = async (...given) => {
        await before(count);
        count += 1;
        return await target.transaction(...given);
      };
      return transaction;
    },
  });
}

/** The database of a process that dies after this many transactions. */
function crashingAfter(transactions: number, crash: Error): TestContext['db'] {
  return withTransactions(async (count) => {
    if (count >= transactions) throw crash;
  });
}

/** Somebody cancels the incident as soon as `isTime`. */
function stopAfter(isTime: () => boolean, { uuid }: { uuid: string }): TestContext['db'] {
  let isCancelled = false;
  return withTransactions(async () => {
    if (!isTime() || isCancelled) return;
    isCancelled = true;
    await ask(owner, 'POST', `incidents/${uuid}/cancel`);
  });
}

/** The database, in which the transaction that locks this key fails. */
function failingFor({ id }: Key): TestContext['db'] {
  let isFound = false;
  return new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name) as unknown;
      const transaction: Transaction = async (work, ...config) =>
        await target.transaction(
          async (tx) => {
            const result = await work(tx);
            const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
            if (row?.revokedAt && !isFound) {
              isFound = true;
              throw new Error('a fault');
            }
            return result;
          },
          ...config,
        );
      return transaction;
    },
  });
}
