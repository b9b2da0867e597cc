import { beforeEach, describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { expireRotationRequests } from '../../../../domain/rotation-requests/outcomes/record-request-end.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { dataOf, detailsOf, itemsOf, refusedFields } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';

/** Requests to regenerate the signing secret of a webhook, or to resume a webhook. */
const { ctx, api, requests, account, owner, admin, support, viewer } = useRotationRequests();
let webhook: { id: number; uuid: string };

beforeEach(async () => {
  webhook = await account.webhook({ name: 'Orders' });
  await regenerate(owner, { grace_period_seconds: 0 });
  // The secret is older than the reports about it.
  ctx.clock.advance(1);
});

describe('asking for a new signing secret', () => {
  test('changes nothing, is listed and audited, and mails the member who is asked', async () => {
    const before = await secretTimes();
    for (const grace of [0, 3600]) {
      const response = await regenerate(support, { grace_period_seconds: grace });
      expect(response.status).toBe(403);
      expect(response.text).toContain('Ask one of them on the page of the webhook.');
    }
    const response = await ask({ reason: 'scheduled', note: 'At the next release' });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({
      act: 'regenerate_secret',
      target: { id: webhook.id, uuid: webhook.uuid, name: 'Orders', last_four: null },
      requested_by: { id: support.personId },
      member: { id: admin.personId },
      reason: 'scheduled',
      note: 'At the next release',
      state: 'open',
      expires_at: ctx.clock.apiTime(72 * hourMs),
    });
    expect(await requests.openFor(admin)).toEqual([dataOf(response)]);
    expect(await secretTimes()).toEqual(before);
    expect(ctx.mails.at(-1)).toMatchObject({
      to: admin.email,
      subject: 'You are asked to regenerate the secret of the webhook "Orders"',
    });
    const path = `/api/v1/audit-log?target=${webhook.uuid}&limit=1`;
    expect(itemsOf(await owner.get(path))).toMatchObject([
      {
        action: 'rotation_request.created',
        target: { name: 'Orders' },
        changes: { act: 'regenerate_secret', reason: 'scheduled', member: admin.personName },
      },
    ]);
  });

  test('is done as soon as someone regenerates it, and the requester is told', async () => {
    const { uuid } = await make({ reason: 'lost' });
    await regenerate(owner);
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'done' });
    expect(await requests.mailOutcomes([support])).toEqual([
      `The secret of the webhook "Orders" was regenerated → ${support.email}`,
    ]);
  });

  test('needs a reason, and an owner or an admin', async () => {
    expect(refusedFields(await ask({ reason: undefined }))).toEqual(['reason']);
    for (const member of [support.personId, viewer.personId, 'nobody']) {
      expect(refusedFields(await ask({ member, reason: 'lost' }))).toEqual(['member']);
    }
  });

  test('is possible once at a time; the same request again returns the open one, which can be declined or withdrawn', async () => {
    const first = await make({ reason: 'lost' });
    expect(await make({ reason: 'lost' })).toEqual(first);
    expect(detailsOf(await ask({ by: owner, reason: 'scheduled' }))['webhook']).toEqual([
      expect.stringContaining('Ida support already asked Ida admin to regenerate the secret'),
    ]);
    expect((await requests.decline(admin, first.uuid)).status).toBe(204);
    const second = await make({ reason: 'lost' });
    expect((await requests.withdraw(support, second.uuid)).status).toBe(204);
    expect(await requests.openFor(admin)).toEqual([]);
  });

  test('expires if the member who is asked may no longer do it, and is deleted with the webhook', async () => {
    const { uuid } = await make({ reason: 'lost' });
    await requests.setRole(admin, 'viewer');
    await expireRotationRequests(ctx);
    const expired = { state: 'expired', closedBecause: 'member_may_not' };
    expect(await requests.rowOf({ uuid })).toMatchObject(expired);
    await make({ member: owner.personId, reason: 'lost' });
    expect(await requests.openFor(owner)).toHaveLength(1);
    expect((await owner.delete(`/api/v1/webhooks/${webhook.id}`)).status).toBe(204);
    expect(await requests.openFor(owner)).toEqual([]);
    expect(ctx.mails.at(-1)).toMatchObject({
      to: support.email,
      subject: 'The webhook "Orders" was deleted',
    });
    expect(ctx.mails.at(-1)?.text).toContain('your request to regenerate the secret');
    const log = await owner.get('/api/v1/audit-log?action=rotation_request.cancelled&limit=1');
    expect(itemsOf(log)).toMatchObject([{ changes: { because: 'webhook_deleted' } }]);
  });
});

describe('a report that the secret leaked', () => {
  test('ends nothing, and mails all owners and admins who reported it and why', async () => {
    await make({ by: owner, reason: 'scheduled' });
    ctx.clock.advance(1);
    const before = await secretTimes();
    const { uuid } = await make({ reason: 'leaked', note: 'It is in a public repository' });
    expect(await secretTimes()).toEqual(before);
    const mails = ctx.mails.filter(({ kind }) => kind === 'leak.reported').slice(-2);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([admin.email, owner.email].toSorted());
    for (const { subject, text } of mails) {
      expect(subject).toBe('Leaked: the signing secret of the webhook "Orders"');
      expect(text).toContain(`Ida support (${support.email}, Support)`);
      expect(text).toContain('It is in a public repository');
    }
    const open = (await requests.openFor(admin)).map(({ reason }) => reason);
    expect(open).toEqual(['leaked', 'scheduled']);
    // A key ends with its tokens; a secret only if an owner or an admin says so.
    expect(refusedFields(await requests.revoke(support, uuid))).toEqual(['rotation_request']);
  });

  test('stays open while the leaked secret signs, unless the member who is asked chose so', async () => {
    const { uuid } = await make({ reason: 'leaked' });
    await regenerate(owner, { grace_period_seconds: 3600 });
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'open' });
    await regenerate(admin, { grace_period_seconds: 3600 });
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'done' });
  });

  test('is done when the leaked secret has ended', async () => {
    const { uuid } = await make({ reason: 'leaked' });
    ctx.clock.advance(1);
    await regenerate(owner, { grace_period_seconds: 3600 });
    ctx.clock.advance(hourMs);
    await expireRotationRequests(ctx);
    expect(await requests.rowOf({ uuid })).toMatchObject({
      state: 'done',
      closedBy: { name: owner.personName },
    });
  });
});

describe('asking to resume a webhook', () => {
  const setActive = async (isActive: boolean) =>
    await owner.patch(`/api/v1/webhooks/${webhook.id}`, { is_active: isActive });

  test('is possible beside a request for its secret, and done when someone resumes it', async () => {
    await setActive(false);
    const { uuid } = await make({ act: 'resume', note: 'The server is up again' });
    expect(ctx.mails.at(-1)).toMatchObject({
      to: admin.email,
      subject: 'You are asked to resume the webhook "Orders"',
    });
    await make({ reason: 'lost' });
    expect(await requests.openFor(admin)).toHaveLength(2);
    await setActive(true);
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'done', reason: 'recovered' });
    expect(await requests.mailOutcomes([support])).toEqual([
      `The webhook "Orders" was resumed → ${support.email}`,
    ]);
  });

  test('is refused for an active webhook, and takes no reason', async () => {
    expect(detailsOf(await ask({ act: 'resume' }))).toEqual({
      webhook: ['This webhook is active.'],
    });
    await setActive(false);
    expect(refusedFields(await ask({ act: 'resume', reason: 'leaked' }))).toEqual(['reason']);
  });
});

type Asked = {
  by?: PersonActor;
  act?: string;
  member?: string;
  reason?: string | undefined;
  note?: string;
};

/** Support asks the admin for a new secret, if not said otherwise. */
async function ask({ by = support, ...asked }: Asked): Promise<ApiResponse> {
  const body = { act: 'regenerate_secret', member: admin.personId, ...asked };
  return await api.as(by).post(`/api/dashboard/webhooks/${webhook.id}/rotation-requests`, body);
}

/** The same, for a request that is accepted. */
async function make(asked: Asked): Promise<RotationRequest> {
  const response = await ask(asked);
  expect(response.text).toContain('"success":true');
  return dataOf<RotationRequest>(response);
}

async function regenerate(by: PersonActor, body: unknown = {}): Promise<ApiResponse> {
  return await api.as(by).post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`, body);
}

/** When the newest secret was made, and until when the one before it signs. */
async function secretTimes(): Promise<unknown> {
  return dataOf(await owner.get(`/api/v1/webhooks/${webhook.id}`))['secret'];
}
