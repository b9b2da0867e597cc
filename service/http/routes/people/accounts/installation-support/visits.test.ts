import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { supportVisits } from '../../../../../db/schema/people/support.ts';
import { dataOf, detailsOf, itemsOf } from '../../../../../testing/api.ts';
import { addAccount } from '../../../../../testing/records/people.ts';
import {
  useSupport,
  keys,
  reason,
  section,
  session,
  visit,
} from '../../../../../testing/http/support-world.ts';
import type { Call, SignedIn } from '../../../../../testing/http/support-world.ts';

const { ctx, world, account, owner, supporter } = useSupport();

describe('before a reason was given', () => {
  test('the response says what to do, and the session names the account', async () => {
    const refused = await world.call(supporter, keys);
    expect(refused.text).toContain('First give a reason for opening this account');
    expect(dataOf(await world.call(supporter, session))).toMatchObject({
      account: { id: account.id, name: 'Marlow & Finch' },
      needs_reason: true,
    });
  });

  test('a reason has 10 to 500 characters on one line, not one letter again and again, and no token', async () => {
    for (const wrong of [
      '',
      'Ticket 48',
      '  Ticket 48  ',
      'xxxxxxxxxxxx',
      'Aaaaa aaaaa',
      '.. .. .. .. ..',
      'a'.repeat(501),
      'two\nlines',
      `leaked ${(await account.key()).token}`,
    ]) {
      const response = await world.call(supporter, visit(wrong));
      expect([wrong, response.status]).toEqual([wrong, 422]);
      expect(detailsOf(response)).toHaveProperty('reason');
    }
    expect(detailsOf(await world.call(supporter, visit('x'.repeat(12))))).toEqual({
      reason: ['Explain in words why you are opening the account.'],
    });
    expect(await world.statuses(supporter)).toEqual([403, 403]);
    expect((await world.call(supporter, visit('ab'.repeat(250)))).status).toBe(201);
  });

  test('the reason is audited in that account, with who gave it and until when it counts', async () => {
    await world.call(supporter, visit());
    expect(await world.auditOf('support_visit.opened')).toMatchObject([
      {
        actor: { kind: 'person', id: supporter.id, name: supporter.name },
        target: { kind: 'account', id: account.id, name: 'Marlow & Finch' },
        changes: { reason: reason, ends_at: expect.stringMatching(/\+00:00$/) as unknown },
      },
    ]);
    const log = itemsOf(await world.call(owner, ['GET', '/api/v1/audit-log']));
    expect(log[0]).toMatchObject({ action: 'support_visit.opened', changes: { reason: reason } });
  });
});

describe('a reason counts', () => {
  test('only in the account for which it was given', async () => {
    const elsewhere = await addAccount(ctx, 'Elsewhere');
    await world.call(supporter, visit());
    expect((await world.call(supporter, keys, { page: elsewhere })).status).toBe(403);
    expect(await world.auditOf('support_visit.opened', elsewhere)).toEqual([]);
  });

  test('only in the session in which it was given, and in several sessions at the same time', async () => {
    await world.call(supporter, visit());
    const second = { ...supporter, session: await world.signIn(supporter.email) };
    expect(await world.statuses(second)).toEqual([403, 403]);
    await world.call(second, visit());
    expect([await world.statuses(supporter), await world.statuses(second)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await world.call(supporter, ['DELETE', '/api/dashboard/session']);
    expect(await world.statuses(second)).toEqual([200, 200]);
    expect(dataOf(await world.call(owner, section))['people']).toContainEqual(
      expect.objectContaining({ name: supporter.name, last_reason: reason }),
    );
  });

  test('for 12 hours, to the millisecond, and then a new one is needed', async () => {
    await world.call(supporter, visit());
    ctx.clock.advance(12 * hourMs - 1);
    expect(await world.statuses(supporter)).toEqual([200, 200]);
    ctx.clock.advance(1);
    expect(await world.statuses(supporter)).toEqual([403, 403]);
    await world.call(supporter, visit('Ticket 4813'));
    expect(await world.statuses(supporter)).toEqual([200, 200]);
    const kept = await ctx.db
      .select()
      .from(supportVisits)
      .where(eq(supportVisits.accountId, account.id));
    expect(kept.map((row) => row.reason)).toEqual(['Ticket 4813']);
    expect(await world.auditOf('support_visit.opened')).toHaveLength(2);
  });
});

describe('an open visit', () => {
  const visitOf = async (person: SignedIn) =>
    dataOf<{ visit: unknown }>(await world.call(person, session)).visit;
  const endVisit: Call = ['DELETE', '/api/dashboard/support-visits'];

  test('is part of the session, with its reason and its end', async () => {
    expect(await visitOf(supporter)).toBeNull();
    const endsAt = dataOf(await world.call(supporter, visit()))['ends_at'];
    expect(await visitOf(supporter)).toEqual({ reason, ends_at: endsAt });
    expect(await visitOf(owner)).toBeNull();
  });

  test('has the latest reason, and each reason is audited', async () => {
    await world.call(supporter, visit());
    ctx.clock.advance(hourMs);
    const endsAt = dataOf(await world.call(supporter, visit('Ticket 4813')))['ends_at'];
    expect(await visitOf(supporter)).toEqual({ reason: 'Ticket 4813', ends_at: endsAt });
    expect(await world.auditOf('support_visit.opened')).toMatchObject([
      { changes: { reason } },
      { changes: { reason: 'Ticket 4813' } },
    ]);
  });

  test('can be ended in its session, which is audited once', async () => {
    await world.call(supporter, visit());
    const second = { ...supporter, session: await world.signIn(supporter.email) };
    await world.call(second, visit());
    for (const person of [supporter, supporter, owner]) {
      expect((await world.call(person, endVisit)).status).toBe(204);
    }
    expect([await world.statuses(supporter), await world.statuses(second)]).toEqual([
      [403, 403],
      [200, 200],
    ]);
    expect(await world.auditOf('support_visit.ended')).toMatchObject([
      {
        actor: { id: supporter.id },
        target: { kind: 'account', id: account.id },
        changes: { reason },
      },
    ]);
  });
});
