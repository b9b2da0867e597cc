import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { emailChanges, people } from '../../../../db/schema/people/people.ts';
import {
  createInvitation,
  listInvitations,
} from '../../../../domain/people/invitations/create-invitation.ts';
import { resetAccess } from '../../../../domain/people/members/operator/reset-access.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import {
  useEmailChanges,
  newAddress,
  spentConfirmation,
} from '../../../../testing/http/email-change-world.ts';

const { ctx, world } = useEmailChanges();

describe('a change of one’s email', () => {
  test('is done once the new address confirms it, and the session continues', async () => {
    const { email, confirmToken } = await world.asked();
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
    expect(await world.shown()).toEqual({
      pending: { email, expires_at: expect.any(String), is_mailed: true },
      fixed_until: null,
    });
    expect(dataOf(await world.checkConfirmation(confirmToken))).toMatchObject({
      email,
      name: 'Ann',
    });
    expect((await world.confirm(confirmToken)).status).toBe(200);
    expect(await world.emailOf(world.ann.id)).toBe(email);
    expect(await world.shown()).toEqual({ pending: null, fixed_until: expect.any(String) });
    expect((await world.signIn(world.ann.email)).status).toBe(422);
    expect((await world.signIn(email)).status).toBe(201);
  });

  test('puts its links in emails only: no response, table, log or audit entry contains one', async () => {
    const response = await world.ask('elsewhere@example.org');
    const tokens = [
      world.mailedToken('elsewhere@example.org', 'confirm-email'),
      world.mailedToken(world.ann.email, 'revoke-email-change'),
    ];
    const kept = [
      response.text,
      JSON.stringify(ctx.logged),
      JSON.stringify(await ctx.db.select().from(emailChanges)),
      JSON.stringify(await ctx.db.select().from(auditEntries)),
    ].join('\n');
    for (const token of tokens) {
      expect(token).toHaveLength(43);
      expect(kept).not.toContain(token);
    }
  });

  test('is confirmed once, even by two concurrent calls', async () => {
    const { confirmToken } = await world.asked();
    const responses = await Promise.all([world.confirm(confirmToken), world.confirm(confirmToken)]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
    expect(detailsOf(await world.checkConfirmation(confirmToken))).toEqual(spentConfirmation);
  });

  test('can be confirmed for 24 hours, to the millisecond', async () => {
    const { confirmToken } = await world.asked();
    ctx.clock.advance(dayMs - 1);
    expect((await world.checkConfirmation(confirmToken)).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await world.checkConfirmation(confirmToken))).toEqual(spentConfirmation);
    expect(detailsOf(await world.confirm(confirmToken))).toEqual(spentConfirmation);
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
  });

  test('replaces a pending one, and can be cancelled by the person who asked', async () => {
    const first = await world.asked();
    const second = await world.asked();
    expect(detailsOf(await world.confirm(first.confirmToken))).toEqual(spentConfirmation);
    expect((await world.cancel()).status).toBe(204);
    expect((await world.cancel()).status).toBe(204);
    expect(detailsOf(await world.confirm(second.confirmToken))).toEqual(spentConfirmation);
    expect(await world.shown()).toMatchObject({ pending: null });
  });

  test.each([
    ['the person changes their password', () => world.changePassword()],
    ['an operator resets their access', () => resetAccess(ctx, world.ann.email)],
  ])('that waits is cancelled when %s', async (_when, replace) => {
    const { confirmToken } = await world.asked();
    await replace();
    expect(detailsOf(await world.confirm(confirmToken))).toEqual(spentConfirmation);
  });

  test('to the present address, or within 7 days of another change, is refused', async () => {
    expect(detailsOf(await world.ask(world.ann.email.toUpperCase()))).toEqual({
      email: ['This is already your email address.'],
    });
    await world.changed();
    expect(detailsOf(await world.ask(newAddress())).email?.[0]).toMatch(
      /^You changed your email address recently\. Until .* UTC, your previous address can undo this/,
    );
    ctx.clock.advance(7 * dayMs);
    world.ann = {
      ...world.ann,
      session: await world.openSession((await world.emailOf(world.ann.id)) ?? ''),
    };
    expect((await world.ask(newAddress())).status).toBe(201);
  });

  test('can be requested 5 times an hour', async () => {
    for (let times = 0; times < 5; times += 1)
      expect((await world.ask(newAddress())).status).toBe(201);
    expect((await world.ask(newAddress())).status).toBe(429);
    ctx.clock.advance(hourMs);
    world.ann = { ...world.ann, session: await world.openSession(world.ann.email) };
    expect((await world.ask(newAddress())).status).toBe(201);
  });

  test('is emailed to the previous address, and audited in each of the person’s accounts', async () => {
    const { email, revokeToken } = await world.changed();
    expect(world.mailsTo(world.ann.email).map(({ subject }) => subject)).toEqual([
      'Your email address is about to change',
      'Your email address was changed',
    ]);
    await world.revoke(revokeToken);
    for (const [action, changes] of [
      ['person.email_change_requested', { email: world.ann.email, new_email: email }],
      ['person.email_changed', { email, previous_email: world.ann.email }],
      ['person.email_change_revoked', { email: world.ann.email, previous_email: email }],
    ] as const) {
      const entries = await world.audited(action);
      expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set(world.accountIds));
      for (const entry of entries) expect(entry.changes).toMatchObject(changes);
    }
  });

  test('leaves invitations to the previous address as they are', async () => {
    const owner = await (await world.api.account()).member('owner');
    await createInvitation(ctx, owner, { email: world.ann.email, role: 'viewer' });
    await world.changed();
    expect(await listInvitations(ctx, owner)).toMatchObject([{ email: world.ann.email }]);
  });
});

test('someone whose new address was confirmed by a link that was not emailed is unverified', async () => {
  const email = newAddress();
  expect(dataOf(await world.ask(email, world.ann, world.mailless))).toMatchObject({
    pending: { is_mailed: false },
  });
  await world.confirm(world.mailedToken(email, 'confirm-email'));
  const [person] = await ctx.db.select().from(people).where(eq(people.id, world.ann.id));
  expect(person).toMatchObject({ email, isUnverified: true });
});

test('a person’s own name is changed everywhere, and audited in each account once', async () => {
  const rename = (name: string) => world.as(world.ann).patch('/api/dashboard/person', { name });
  expect(dataOf(await rename('  Ann Fox '))).toEqual({ name: 'Ann Fox' });
  expect((await rename('Ann Fox')).status).toBe(200);
  expect(dataOf(await world.as(world.ann).get('/api/dashboard/session'))).toMatchObject({
    person: { name: 'Ann Fox' },
  });
  expect(detailsOf(await rename('Ann\u202eFox'))).toHaveProperty('name');
  expect(detailsOf(await rename(' '))).toHaveProperty('name');
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, 'person.renamed'),
        eq(auditEntries.actor, { kind: 'person', id: world.ann.id, name: 'Ann Fox' }),
      ),
    );
  expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set(world.accountIds));
  expect(entries).toHaveLength(2);
  expect(entries[0]?.changes).toEqual({ name: 'Ann Fox', previous_name: 'Ann' });
});
