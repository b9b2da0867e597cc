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

describe('emails about a request', () => {
  const mailsTo = ({ email }: Member) => ctx.mails.filter(({ to }) => to === email).length;

  /** Asks, and withdraws the request at once. */
  async function askAndWithdraw(options: Parameters<typeof requests.make>[0] = {}) {
    const request = await requests.make(options);
    expect((await requests.withdraw(support, request.uuid)).status).toBe(204);
    return request;
  }

  test('about one key reach a member three times a day, however often they are asked', async () => {
    const asked = [];
    for (let count = 0; count < 6; count += 1) asked.push(await askAndWithdraw());
    expect(mailsTo(admin)).toBe(3);
    const now = asked[0]?.created_at;
    expect(asked.map(({ mailed_at }) => mailed_at)).toEqual([now, now, now, null, null, null]);
  });

  test('are counted by the day to the millisecond, from each email on', async () => {
    await askAndWithdraw();
    ctx.clock.advance(hourMs);
    for (let count = 0; count < 3; count += 1) await askAndWithdraw();
    ctx.clock.advance(23 * hourMs - 1);
    expect((await askAndWithdraw()).mailed_at).toBeNull();
    ctx.clock.advance(1);
    expect((await askAndWithdraw()).mailed_at).not.toBeNull();
    expect((await askAndWithdraw()).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(4);
  });

  test('are counted separately for each member and each key', async () => {
    const { id: other } = await account.key();
    for (let count = 0; count < 4; count += 1) await askAndWithdraw();
    await askAndWithdraw({ member: owner.personId });
    await askAndWithdraw({ apiKey: other });
    expect([mailsTo(admin), mailsTo(owner)]).toEqual([4, 1]);
  });

  test('are counted also where the requests end by being declined or done', async () => {
    for (let count = 0; count < 2; count += 1) {
      await requests.decline(admin, (await requests.make()).uuid);
    }
    await requests.rotate(admin, (await requests.make()).uuid);
    expect((await requests.make({ by: owner })).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(3);
  });

  test('are still counted after a restart, and in another process', async () => {
    for (let count = 0; count < 2; count += 1) await askAndWithdraw();
    const { config, database, clock, silentLog: log, mail, dashboardCredential } = ctx;
    const booted = await bootContext({ config, database, clock, log });
    const restarted = { ...ctx, ...booted, clock, mail, dashboardCredential };
    const other = new TestApi(withSessionsById(restarted));
    const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    const body = { member: admin.personId, reason: 'lost' };
    const { uuid } = dataOf<RotationRequest>(await other.as(support).post(path, body));
    await other.as(support).delete(`/api/dashboard/rotation-requests/${uuid}`);
    expect((await requests.make()).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(3);
    await booted.usage.stop();
    await booted.limiter.close();
  });

  test('that are not sent leave the request open, which the audit log records', async () => {
    for (let count = 0; count < 3; count += 1) await askAndWithdraw();
    const { uuid } = await requests.make();
    expect(await requests.openFor(admin)).toMatchObject([{ uuid, mailed_at: null }]);
    const entries = await auditEntriesOf(ctx, account.id);
    expect(entries.at(-1)).toMatchObject({
      action: 'rotation_request.created',
      changes: { member: 'Ida admin', reason: 'lost', mailed: false },
    });
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
  });
});

describe('emails about reports of a leak', () => {
  const reports = ({ email }: Member) =>
    ctx.mails.filter(({ to, subject }) => to === email && subject.startsWith('Leaked'));

  /** Reports a leak, and withdraws the report at once. */
  async function report(options: Parameters<typeof requests.make>[0] = {}) {
    const request = await requests.make({ reason: 'leaked', ...options });
    expect((await requests.withdraw(options.by ?? support, request.uuid)).status).toBe(204);
    return request;
  }

  test('reach owners and admins three times a day about one key; later ones are counted in one email an hour, so that none is lost', async () => {
    for (let count = 0; count < 6; count += 1) await report();
    expect([owner, admin].map((member) => reports(member).length)).toEqual([3, 3]);
    await mailHeldLeakReports(ctx);
    await mailHeldLeakReports(ctx);
    for (const member of [owner, admin]) {
      expect(reports(member)).toHaveLength(4);
      const text = reports(member).at(-1)?.text;
      expect(text).toContain('3 reports');
      expect(text).toContain(support.personName);
    }
    await report();
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(5);
    expect(reports(owner).at(-1)?.text).toContain('1 report');
  });

  test('that are sent later are recorded with the report', async () => {
    for (let count = 0; count < 3; count += 1) await report();
    const { uuid, mailed_at: first } = await requests.make({ reason: 'leaked' });
    expect(first).toBeNull();
    ctx.clock.advance(1000);
    await mailHeldLeakReports(ctx);
    expect(await requests.openFor(admin)).toMatchObject([{ uuid, mailed_at: ctx.clock.apiTime() }]);
  });

  test('are held for each key and webhook separately, and not while the account is being deleted', async () => {
    for (let count = 0; count < 4; count += 1) await report();
    const { id: other } = await account.key({ name: 'Other' });
    await report({ apiKey: other });
    expect(reports(owner)).toHaveLength(4);
    await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() });
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(4);
    await ctx.db.update(accounts).set({ deletedAt: null });
    await mailHeldLeakReports(ctx);
    expect(reports(owner)).toHaveLength(5);
  });
});
