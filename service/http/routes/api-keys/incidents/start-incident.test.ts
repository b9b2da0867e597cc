import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import {
  advanceIncidents,
  deleteOldIncidents,
} from '../../../../domain/api-keys/incident/advance-incidents.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import { inputFor, useIncidents } from '../../../../testing/api-keys/incidents.ts';
import { tokenOf } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../../testing/api.ts';
import type { TestKey, TestMember } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, incidents, account, owner, admin } = useIncidents();

describe('an incident', () => {
  test('that rotates gives each key a token nobody was shown, without emails, and ends the older ones immediately', async () => {
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
    expect(JSON.stringify(done)).not.toContain('sk_live_');
    await expectAudited(started, keys, { action: 'api_key.rotated', by: owner });
    const before = ctx.mails.length;
    ctx.clock.advance(25 * hourMs);
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails.length).toBe(before);
    for (const key of keys) {
      expect(await incidents.use(key)).toBe(401);
      const path = `/api/v1/api-keys/${key.id}`;
      const { tokens } = dataOf<ApiKey>(await owner.get(path));
      const unconfirmed = { shown_to: null, undo_restores: null };
      expect(tokens).toMatchObject([{ unconfirmed, created_by: { name: 'Ida owner' } }]);
      // Anyone who may see a token gets another in its place.
      const shown = await admin.post(
        `/api/dashboard/api-keys/${key.id}/replace-unconfirmed-token`,
        { expected_last_four: tokens[0]?.last_four },
      );
      expect(await incidents.use({ token: tokenOf(shown) })).toBe(200);
    }
  });

  test('that rotates with a grace period leaves each newest token valid for that long', async () => {
    const key = await account.key();
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
    const revoked = { revokedReason: 'Laptop stolen', revokedBy: { name: 'Ida admin' } };
    const stored = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, account.id));
    expect(stored).toMatchObject([revoked, revoked]);
    await expectAudited(started, [one, two], { action: 'api_key.revoked', by: admin });
  });

  test('changes 200 keys, which do not count as creations', async () => {
    const crowded = await api.account();
    const person = await crowded.member('owner');
    for (let made = 0; made < 200; made += 1) await crowded.key();
    const started = await incidents.start(person, { act: 'rotate' });
    for (let step = 0; step < 5; step += 1) await advanceIncidents(ctx);
    expect(await incidents.get(started, person)).toMatchObject({
      state: 'done',
      counts: { waiting: 0, done: 200 },
    });
    const [spare] = await incidents.keys(person);
    await person.delete(`/api/v1/api-keys/${spare?.uuid}`);
    const body = { name: 'One more', type: 'bot' };
    expect((await person.post('/api/v1/api-keys', body)).status).toBe(201);
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
    const page = `/a/${account.id}/settings/api-keys/incident/${started.uuid}`;
    expect(mails[0]?.action.url).toMatch(new RegExp(`${page}$`));
  });

  test('pauses keys and resumes them without typed words, and skips those that are so already', async () => {
    const keys = [await account.key({ name: 'One' }), await account.key({ name: 'Two' })];
    const [one] = keys;
    await owner.post(`/api/v1/api-keys/${one?.id}/pause`, {});
    expect((await incidents.preview({ act: 'pause' })).totals).toMatchObject({
      keys: 1,
      skipped: 1,
      tokens_ending_now: 1,
    });
    const paused = await incidents.start(owner, { act: 'pause' });
    await advanceIncidents(ctx);
    expect(await incidents.get(paused)).toMatchObject({
      grace_period_seconds: null,
      keys: [
        { name: 'Two', result: 'done' },
        { name: 'One', result: 'skipped', problem: 'This key is already paused.' },
      ],
    });
    for (const key of keys) expect(await incidents.use(key)).toBe(401);
    expect((await incidents.preview({ act: 'resume' })).totals).toMatchObject({
      keys: 2,
      tokens_ending_now: 0,
    });
    const resumed = await incidents.start(admin, { act: 'resume' });
    await advanceIncidents(ctx);
    expect(await incidents.get(resumed)).toMatchObject({ counts: { done: 2 } });
    for (const key of keys) expect(await incidents.use(key)).toBe(200);
    expect(await incidents.auditedOf('Two')).toEqual([
      'api_key.created',
      'api_key.paused',
      'api_key.resumed',
    ]);
  });

  test('is listed in its account, newest first', async () => {
    await account.key();
    await incidents.start(owner, { act: 'rotate' });
    await advanceIncidents(ctx);
    ctx.clock.advance(1);
    await incidents.start(admin, { act: 'revoke' });
    expect(await incidents.list()).toMatchObject([
      { act: 'revoke', state: 'running', counts: { waiting: 1 } },
      { act: 'rotate', state: 'done', counts: { done: 1 } },
    ]);
  });

  test('is removed with its audit entries', async () => {
    await account.key();
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

describe('an incident is not started', () => {
  const start = async (body: object, by = owner) => await by.post('/api/dashboard/incidents', body);

  test('without the confirmation that names the act and the number of keys', async () => {
    const key = await account.key();
    const body = { ...inputFor([key.uuid], { act: 'revoke' }), confirmation: 'revoke 2 keys' };
    const confirmation = ['Type “revoke 1 key”.'];
    expect(detailsOf(await start(body))).toEqual({ confirmation });
    expect(detailsOf(await start({ ...body, reason: '' }))).toEqual({
      reason: [expect.any(String)],
      confirmation,
    });
    expect(await incidents.use(key)).toBe(200);
  });

  test.each<[what: string, wrong: object, field: string]>([
    ['a token in the reason', { reason: `sk_live_${'a'.repeat(38)}` }, 'reason'],
    ['a secret in the reason', { reason: `whsec_${'a'.repeat(43)}=` }, 'reason'],
  ])('with %s', async (_what, wrong, field) => {
    const { uuid } = await account.key();
    const response = await start({ ...inputFor([uuid], { act: 'revoke' }), ...wrong });
    expect(refusedFields(response)).toEqual([field]);
    expect(await incidents.list()).toEqual([]);
  });

  test('beside one that is running', async () => {
    const { uuid } = await account.key();
    await incidents.start(owner, { act: 'rotate' });
    const body = inputFor([uuid], { act: 'revoke' });
    expect(refusedFields(await start(body, admin))).toEqual(['incident']);
    await advanceIncidents(ctx);
    expect((await start(body, admin)).status).toBe(201);
  });

  test('for a key of another account, a revoked key or no key', async () => {
    const other = await (await api.account()).key();
    const revoked = await account.key();
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    for (const uuid of [other.uuid, revoked.uuid, crypto.randomUUID()]) {
      const body = inputFor([uuid], { act: 'revoke' });
      const preview = { act: 'revoke', keys: [uuid] };
      for (const response of [
        await start(body),
        await owner.post('/api/dashboard/incident-preview', preview),
      ]) {
        expect(detailsOf(response)).toEqual({
          keys: ['Some of these keys are no longer active keys of this account. Reload the list.'],
        });
      }
    }
    expect(await incidents.use(other)).toBe(200);
  });
});

/** Expects an audit entry for the incident, and one for each key that says where it was begun. */
async function expectAudited(
  { uuid, act }: IncidentWithKeys,
  keys: readonly TestKey[],
  { action, by }: { action: string; by: TestMember },
): Promise<void> {
  const entries = await auditEntriesOf(ctx, account.id);
  const ofKeys = entries.filter(({ changes }) => (changes as { incident?: unknown })?.incident);
  expect(ofKeys.map(({ target }) => target.id).toSorted()).toEqual(
    keys.map((key) => key.uuid).toSorted(),
  );
  for (const entry of ofKeys) {
    expect(entry).toMatchObject({
      action,
      actor: { kind: 'person', id: by.personId },
      changes: { incident: uuid, reason: 'Laptop stolen' },
      ip: '203.0.113.7',
    });
  }
  expect(entries.filter((entry) => entry.action === 'incident.started')).toMatchObject([
    { target: { id: uuid }, changes: { act, keys: keys.length } },
  ]);
}
