import { describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { bootContext } from '../../../../boot/boot-context.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { mailHeldLeakReports } from '../../../../domain/rotation-requests/leaks/mail-held-leak-reports.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { Member } from '../../../../testing/api-keys/rotation-requests.ts';
import { dataOf, TestApi } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { withSessionsById } from '../../../../testing/sessions.ts';

const { ctx, requests, account, owner, admin, support, key } = useRotationRequests();

/** Asks so often, and withdraws each request immediately; returns the times of their emails. */
async function ask(times: number, options: Parameters<typeof requests.make>[0] = {}) {
  const mailedAt = [];
  for (let count = 0; count < times; count += 1) {
    const request = await requests.make(options);
    expect((await requests.withdraw(support, request.uuid)).status).toBe(204);
    mailedAt.push(request.mailed_at);
  }
  return mailedAt;
}

describe('emails about a request', () => {
  const mailsTo = ({ email }: Member) => ctx.mails.filter(({ to }) => to === email).length;

  test('about one key reach a member three times a day, and requests without one are open and recorded', async () => {
    const now = ctx.clock.apiTime();
    expect(await ask(5)).toEqual([now, now, now, null, null]);
    const { uuid } = await requests.make();
    expect(mailsTo(admin)).toBe(3);
    expect(await requests.openFor(admin)).toMatchObject([{ uuid, mailed_at: null }]);
    expect((await auditEntriesOf(ctx, account.id)).at(-1)).toMatchObject({
      action: 'rotation_request.created',
      changes: { member: 'Ida admin', reason: 'lost', mailed: false },
    });
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
  });

  test('are counted by the day to the millisecond, from each email on', async () => {
    await ask(1);
    ctx.clock.advance(hourMs);
    await ask(3);
    ctx.clock.advance(23 * hourMs - 1);
    expect(await ask(1)).toEqual([null]);
    ctx.clock.advance(1);
    expect(await ask(2)).toEqual([ctx.clock.apiTime(), null]);
    expect(mailsTo(admin)).toBe(4);
  });

  test('are counted separately for each member and each key, however the requests end', async () => {
    for (let count = 0; count < 2; count += 1) {
      await requests.decline(admin, (await requests.make()).uuid);
    }
    await requests.rotate(admin, (await requests.make()).uuid);
    expect(await ask(1)).toEqual([null]);
    await ask(1, { member: owner.personId });
    await ask(1, { apiKey: (await account.key()).id });
    expect([mailsTo(admin), mailsTo(owner)]).toEqual([4, 1]);
  });

  test('are still counted after a restart, and in another process', async () => {
    await ask(2);
    const { config, database, clock, silentLog: log, mail, dashboardCredential } = ctx;
    const booted = await bootContext({ config, database, clock, log });
    const restarted = { ...ctx, ...booted, clock, mail, dashboardCredential };
    const other = new TestApi(withSessionsById(restarted)).as(support);
    const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    const body = { member: admin.personId, reason: 'lost' };
    const { uuid } = dataOf<RotationRequest>(await other.post(path, body));
    await other.delete(`/api/dashboard/rotation-requests/${uuid}`);
    expect(await ask(1)).toEqual([null]);
    expect(mailsTo(admin)).toBe(3);
    await booted.usage.stop();
    await booted.limiter.close();
  });
});

describe('emails about reports of a leak', () => {
  const leaked = { reason: 'leaked' };
  const reports = ({ email }: Member) =>
    ctx.mails.filter(({ to, subject }) => to === email && subject.startsWith('Leaked'));

  test('reach owners and admins three times a day about one key; later ones are counted in one email an hour, so that none is lost', async () => {
    await ask(5, leaked);
    const { uuid, mailed_at: first } = await requests.make(leaked);
    expect(first).toBeNull();
    expect([owner, admin].map((member) => reports(member).length)).toEqual([3, 3]);
    ctx.clock.advance(1000);
    await mailHeldLeakReports(ctx);
    await mailHeldLeakReports(ctx);
    for (const member of [owner, admin]) {
      expect(reports(member)).toHaveLength(4);
      const text = reports(member).at(-1)?.text;
      expect(text).toContain('3 reports');
      expect(text).toContain(support.personName);
    }
    expect(await requests.openFor(admin)).toMatchObject([{ uuid, mailed_at: ctx.clock.apiTime() }]);
    await requests.withdraw(support, uuid);
    await ask(1, leaked);
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(5);
    expect(reports(owner).at(-1)?.text).toContain('1 report');
  });

  test('are held for each key and webhook separately, and not while the account is being deleted', async () => {
    await ask(4, leaked);
    await ask(1, { ...leaked, apiKey: (await account.key({ name: 'Other' })).id });
    expect(reports(owner)).toHaveLength(4);
    await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() });
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(4);
    await ctx.db.update(accounts).set({ deletedAt: null });
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(5);
  });
});
