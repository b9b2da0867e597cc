import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import {
  advanceIncidents,
  deleteOldIncidents,
} from '../../../../domain/api-keys/incident/advance-incidents.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import { useIncidents, inputFor } from '../../../../testing/api-keys/incidents.ts';
import { tokenOf } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import type { TestKey } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, incidents, account, owner, admin } = useIncidents();

describe('a run', () => {
  test('that rotates gives each key a token nobody was shown, and ends the older ones at once', async () => {
    const keys = [await account.key({ name: 'One' }), await account.key({ name: 'Two' })];
    for (const key of keys) await incidents.use(key);
    const started = await incidents.start(owner, { act: 'rotate' });
    expect(started).toMatchObject({
      state: 'running',
      act: 'rotate',
      grace_period_seconds: 0,
      reason: 'Laptop stolen',
      created_by: { name: 'Ida owner' },
      counts: { waiting: 2, done: 0 },
    });
    await advanceIncidents(ctx);
    const done = await incidents.get(started);
    expect(done).toMatchObject({
      state: 'done',
      counts: { waiting: 0, done: 2, failed: 0, skipped: 0, cancelled: 0 },
      keys: keys.toReversed().map(({ lastFour }) => ({ last_four: lastFour, result: 'done' })),
    });
    for (const key of keys) {
      expect(await incidents.use(key)).toBe(401);
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
    const key = await account.key({ name: 'One' });
    await incidents.start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    const [hidden] = await tokensOf(key);
    const path = `/api/dashboard/api-keys/${key.id}/replace-unconfirmed-token`;
    const shown = await admin.post(path, { expected_last_four: hidden?.last_four });
    expect(shown.status).toBe(201);
    expect(await incidents.use({ token: tokenOf(shown) })).toBe(200);
  });

  test('whose tokens nobody was shown sends no email for each token', async () => {
    await Promise.all(Array.from({ length: 3 }, () => account.key({ name: 'Waiting' })));
    // Emails about tokens that were shown in the dashboard when the keys were created.
    ctx.clock.advance(25 * hourMs);
    await mailUnconfirmedTokens(ctx);
    await incidents.start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    const before = ctx.mails.length;
    ctx.clock.advance(25 * hourMs);
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails.length).toBe(before);
  });

  test('that rotates with a grace period leaves each newest token valid for that long', async () => {
    const key = await account.key({ name: 'One' });
    await incidents.use(key);
    await incidents.start(owner, { act: 'rotate', grace_period_seconds: 3600 });
    await advanceIncidents(ctx);
    expect(await incidents.use(key)).toBe(200);
    ctx.clock.advance(hourMs);
    expect(await incidents.use(key)).toBe(401);
  });

  test('that revokes ends every token of every key, with the reason', async () => {
    const [one, two] = [await account.key({ name: 'One' }), await account.key({ name: 'Two' })];
    const newer = await incidents.rotate(one);
    const started = await incidents.start(admin, { act: 'revoke' });
    await advanceIncidents(ctx);
    for (const token of [one.token, newer, two.token]) {
      expect(await incidents.use({ token })).toBe(401);
    }
    expect(await incidents.get(started)).toMatchObject({
      grace_period_seconds: null,
      counts: { done: 2 },
    });
    const stored = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, account.id));
    expect(stored).toMatchObject([
      { revokedReason: 'Laptop stolen', revokedBy: { name: 'Ida admin' } },
      { revokedReason: 'Laptop stolen', revokedBy: { name: 'Ida admin' } },
    ]);
  });

  test.each(['rotate', 'revoke'] as const)(
    'to %s writes one audit entry for each key, with its id and reason and where it was begun',
    async (act) => {
      const keys = [
        await account.key({ name: 'One' }),
        await account.key({ name: 'Two' }),
        await account.key({ name: 'Three' }),
      ];
      const { uuid } = await incidents.start(owner, { act });
      await advanceIncidents(ctx);
      const entries = await auditEntriesOf(ctx, account.id);
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
    const started = await incidents.start(person, { act: 'rotate' });
    for (let step = 0; step < 4; step += 1) await advanceIncidents(ctx);
    expect((await incidents.get(started, person)).counts).toMatchObject({ waiting: 0, done: 200 });
    await advanceIncidents(ctx);
    expect(await incidents.get(started, person)).toMatchObject({ state: 'done' });
    const body = { name: 'One more', type: 'bot' };
    const [spare] = (await incidents.keys({}, person)).keys;
    await api.as(person).delete(`/api/v1/api-keys/${spare?.uuid}`);
    expect((await api.as(person).post('/api/v1/api-keys', body)).status).toBe(201);
  }, 300_000);

  test('emails the owners the results of the keys once, with a link to the incident', async () => {
    const second = await addPerson(ctx);
    await addMember(ctx, { accountId: account.id, personId: second.id, role: 'owner' });
    const ended = await account.key({ name: 'Revoked before' });
    await account.key({ name: 'One' });
    await account.key({ name: 'Two' });
    const started = await incidents.start(admin, { act: 'revoke' });
    await owner.delete(`/api/v1/api-keys/${ended.id}`);
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
    await account.key({ name: 'One' });
    const started = await incidents.start(owner, { act: 'revoke' });
    const before = ctx.mails.length;
    for (let time = 0; time < 2; time += 1) {
      await admin.post(`/api/dashboard/incidents/${started.uuid}/cancel`);
    }
    await advanceIncidents(ctx);
    expect(ctx.mails.slice(before)).toMatchObject([
      { to: owner.email, subject: 'Incident: 0 of 1 API key revoked' },
    ]);
    expect(ctx.mails.at(-1)?.text).toContain('"Ida admin" cancelled the rest.');
  });

  test('is listed in its account, newest first, with the criteria of its keys', async () => {
    await account.key({ name: 'One' });
    const choice = {
      created_by: `person:${owner.personId}`,
      created_after: '2026-01-01T00:00:00Z',
      address: '198.51.100.0/24',
    };
    await incidents.start(owner, { act: 'rotate', choice });
    await advanceIncidents(ctx);
    ctx.clock.advance(1);
    await incidents.start(admin, { act: 'revoke' });
    expect(await incidents.list()).toMatchObject([
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
    ['address', `sk_live_${'a'.repeat(38)}`],
  ])(
    'is not started with an unreadable %s or a token among the criteria of its keys',
    async (field, text) => {
      await account.key({ name: 'One' });
      const keys = (await incidents.keys()).keys.map(({ uuid }) => uuid);
      const body = inputFor(keys, { act: 'revoke', choice: { [field]: text } });
      const response = await owner.post('/api/dashboard/incidents', body);
      expect(response).toMatchObject({ status: 422 });
      expect(Object.keys(detailsOf(response))).toEqual(['choice']);
      expect(await incidents.list()).toEqual([]);
    },
  );

  test('is removed with its audit entries', async () => {
    await account.key({ name: 'One' });
    await incidents.start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    ctx.clock.advance((ctx.config.auditRetentionDays - 1) * dayMs);
    await deleteOldIncidents(ctx);
    expect(await incidents.list()).toHaveLength(1);
    ctx.clock.advance(2 * dayMs);
    await deleteOldIncidents(ctx);
    expect(await incidents.list()).toEqual([]);
  });
});

describe('a run is not started', () => {
  test('without the confirmation that names the act and the number of keys', async () => {
    const key = await account.key({ name: 'One' });
    const body = { ...inputFor([key.uuid], { act: 'revoke' }), confirmation: 'revoke 2 keys' };
    const refused = await owner.post('/api/dashboard/incidents', body);
    expect(detailsOf(refused)).toEqual({ confirmation: ['Type “revoke 1 key”.'] });
    const alsoWrong = await owner.post('/api/dashboard/incidents', {
      ...body,
      reason: '',
      choice: null,
    });
    expect(detailsOf(alsoWrong)).toEqual({
      reason: [expect.any(String)],
      choice: [expect.any(String)],
      confirmation: ['Type “revoke 1 key”.'],
    });
    expect(await incidents.use(key)).toBe(200);
  });

  test('with a token or a secret in its reason', async () => {
    const key = await account.key({ name: 'One' });
    for (const reason of [key.token, `whsec_${'a'.repeat(43)}=`]) {
      const body = { ...inputFor([key.uuid], { act: 'revoke' }), reason };
      const refused = await owner.post('/api/dashboard/incidents', body);
      expect(detailsOf(refused)).toEqual({
        reason: ['Leave tokens and secrets out of the reason.'],
      });
    }
  });

  test('beside one that is running', async () => {
    const one = await account.key({ name: 'One' });
    await incidents.start(owner, { act: 'rotate' });
    const body = inputFor([one.uuid], { act: 'revoke' });
    const second = await admin.post('/api/dashboard/incidents', body);
    expect(Object.keys(detailsOf(second))).toEqual(['incident']);
    await advanceIncidents(ctx);
    const third = await admin.post('/api/dashboard/incidents', body);
    expect(third.status).toBe(201);
  });

  test.each(['a key of another account', 'a revoked key', 'no key'])('for %s', async (what) => {
    const own = await account.key({ name: 'Own' });
    const other = await (await api.account()).key();
    if (what === 'a revoked key') await owner.delete(`/api/v1/api-keys/${own.id}`);
    const uuid = {
      'a key of another account': other.uuid,
      'a revoked key': own.uuid,
      'no key': crypto.randomUUID(),
    }[what];
    const body = inputFor([String(uuid)], { act: 'revoke' });
    const { confirmation: _, choice: __, reason: ___, ...asked } = body;
    for (const response of [
      await owner.post('/api/dashboard/incidents', body),
      await owner.post('/api/dashboard/incident-preview', asked),
    ]) {
      expect(detailsOf(response)).toEqual({
        keys: ['Some of these keys are no longer active keys of this account. Reload the list.'],
      });
    }
    expect(await incidents.use(other)).toBe(200);
  });
});

async function tokensOf({ id }: TestKey): Promise<ApiKeyToken[]> {
  return dataOf<ApiKey>(await owner.get(`/api/v1/api-keys/${id}`)).tokens;
}
