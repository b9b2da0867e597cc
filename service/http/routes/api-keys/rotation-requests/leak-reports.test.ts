import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { rotationRequests } from '../../../../db/schema/api-keys/rotation-requests.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { countLeakRevocationsLeft } from '../../../../domain/rotation-requests/leaks/revoke-leaked-key.ts';
import { expireRotationRequests } from '../../../../domain/rotation-requests/outcomes/record-request-end.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { RotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../../testing/api.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

/** Rotation requests with the reason "leaked". */
const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();
/** Another member of the support staff. */
let tim: PersonActor;

beforeEach(async () => {
  const { id: personId, email } = await addPerson(ctx, { name: 'Tim' });
  await addMember(ctx, { accountId: account.id, personId, role: 'support' });
  tim = { ...support, personId, personName: 'Tim', email };
  // The key is older than the reports about it.
  ctx.clock.advance(1);
});

describe('a report of a leak', () => {
  test('is possible beside open requests and reports of others, and each lets its reporter revoke the key', async () => {
    const planned = await requests.make({ by: owner, reason: 'scheduled' });
    const first = await report();
    const second = await report({ by: tim, member: owner.personId });
    expect(new Set([planned.uuid, first.uuid, second.uuid]).size).toBe(3);
    expect((await requests.revoke(tim, second.uuid)).status).toBe(204);
    expect(await works(api, key.token)).toBe(false);
    // Only the second reporter's limit of revocations counts it.
    for (const request of [planned, first, second]) {
      expect(await endOf(request)).toEqual(['revoked', 'Tim']);
    }
  });

  test('replaces one’s own open request or report, and tells the member who need not do anything', async () => {
    const asked = await requests.make({ reason: 'scheduled', member: owner.personId });
    const first = await report();
    const second = await report({ member: owner.personId });
    expect(await requests.uuidsFor(support)).toEqual([second.uuid]);
    for (const replaced of [asked, first]) {
      expect(await endOf(replaced)).toEqual(['withdrawn', 'Ida support']);
    }
    expect((await requests.audited()).slice(-2)).toEqual([
      'rotation_request.withdrawn by Ida support: Production',
      'rotation_request.created by Ida support: Production',
    ]);
    const withdrawn = 'The request to rotate the API key "Production" was withdrawn';
    // The emails of one moment arrive in any order.
    const expected = [owner, admin].map(({ email }) => `${withdrawn} → ${email}`);
    expect((await mailed()).toSorted()).toEqual(expected.toSorted());
  });

  test('to the same member does not tell them that they need not do anything', async () => {
    await requests.make({ reason: 'scheduled' });
    await report();
    expect(await mailed()).toEqual([]);
  });

  test('is emailed to all owners and admins, with who reported it and the note, however many emails they got that day', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      await requests.withdraw(support, (await requests.make()).uuid);
    }
    const before = ctx.mails.length;
    const { mailed_at: mailedAt } = await report({ note: 'It is in a public repository.' });
    expect(mailedAt).not.toBeNull();
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([admin.email, owner.email].toSorted());
    for (const { subject, text } of mails) {
      expect(subject).toBe('Leaked: the token of the API key "Production"');
      expect(text).toContain(`Reported by: Ida support (${support.email}, Support)\n`);
      expect(text).toContain('Note: It is in a public repository.\n');
    }
  });

  test('prevents requests for other reasons, which it makes superfluous', async () => {
    await report();
    for (const by of [support, tim]) {
      expect(refusedFields(await requests.ask({ by }))).toEqual(['api_key']);
    }
  });

  test('is shown to everyone who may see the key, no matter who made it and the person who was asked', async () => {
    const { uuid } = await report();
    for (const member of [owner, tim, viewer]) {
      expect(await requests.uuidsFor(member)).toEqual([uuid]);
      for (const path of [`rotation-requests/${uuid}`, 'rotation-request-history']) {
        const response = await api.as(member).get(`/api/dashboard/${path}`);
        expect(response.text).toContain(uuid);
      }
    }
  });

  const someoneRotates = async () => {
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 86_400 });
    ctx.clock.advance(1);
  };

  test.each([
    ['someone else rotated the key', someoneRotates],
    ['the key rotated itself', async () => await key.post(`/api/v1/api-keys/${key.id}/rotate`)],
  ])('stays open while a token that existed when it was made works, after %s', async (_, act) => {
    const { uuid } = await report();
    await act();
    expect(await endOf({ uuid })).toEqual(['open', undefined]);
    expect(await requests.uuidsFor(support)).toEqual([uuid]);
    expect(await mailed()).toEqual([]);
    expect((await requests.revoke(support, uuid)).status).toBe(204);
    expect(await works(api, key.token)).toBe(false);
  });

  test.each([
    ['a rotation ended them', 'rotated', async () => await rotate({ grace_period_seconds: 0 })],
    [
      'the last of them was ended',
      'previous_token_ended',
      async () => {
        await someoneRotates();
        await owner.delete(`/api/v1/api-keys/${key.id}/previous-token`);
      },
    ],
    [
      'the last of them was ended by its id',
      'token_ended',
      async () => {
        await someoneRotates();
        const { tokens } = dataOf<ApiKey>(await owner.get(`/api/v1/api-keys/${key.id}`));
        await owner.delete(`/api/v1/api-keys/${key.id}/tokens/${tokens[1]?.id}`);
      },
    ],
  ])('is done when no token works that existed when it was made: %s', async (_, action, act) => {
    const request = await report();
    await act();
    expect(await endOf(request)).toEqual(['done', 'Ida owner']);
    expect((await requests.audited()).slice(-2)).toEqual([
      `api_key.${action} by Ida owner: Production`,
      'rotation_request.done by Ida owner: Production',
    ]);
    expect(await mailed()).toEqual([`The API key "Production" was rotated → ${support.email}`]);
  });

  test('is done when the last of them has lapsed, by the person who rotated the key, and then cannot revoke it', async () => {
    const request = await report();
    await someoneRotates();
    ctx.clock.advance(dayMs - 2);
    await expireRotationRequests(ctx);
    expect(await endOf(request)).toEqual(['open', undefined]);
    ctx.clock.advance(1);
    // Even before that is stored.
    expect(detailsOf(await requests.revoke(support, request.uuid))).toEqual({
      rotation_request: ['The key was rotated after this request.'],
    });
    await expireRotationRequests(ctx);
    expect(await endOf(request)).toEqual(['done', 'Ida owner']);
    expect((await requests.audited()).at(-1)).toBe(
      'rotation_request.done by Housekeeping: Production',
    );
  });

  test('is not done by the end of a token that was replaced before it: the newest may have leaked', async () => {
    await someoneRotates();
    const request = await report();
    ctx.clock.advance(1);
    await owner.delete(`/api/v1/api-keys/${key.id}/previous-token`);
    ctx.clock.advance(25 * hourMs);
    await expireRotationRequests(ctx);
    expect(await endOf(request)).toEqual(['open', undefined]);
  });

  test.each([
    ['is replaced', 0],
    ['is replaced and the older one has lapsed', 3600],
  ])('is done when the unused token it is about %s', async (_what, seconds) => {
    await rotate({ grace_period_seconds: seconds });
    ctx.clock.advance(1);
    const request = await report();
    ctx.clock.advance(1);
    const { tokens } = dataOf<ApiKey>(await admin.get(`/api/v1/api-keys/${key.id}`));
    const path = `/api/dashboard/api-keys/${key.id}/replace-unconfirmed-token`;
    const body = { expected_last_four: tokens[0]?.last_four };
    expect((await admin.post(path, body)).status).toBe(201);
    expect((await endOf(request))[0]).toBe(seconds === 0 ? 'done' : 'open');
    ctx.clock.advance(seconds * 1000);
    await expireRotationRequests(ctx);
    expect(await endOf(request)).toEqual(['done', admin.personName]);
  });

  test('is done if the member it names rotates the key on it, no matter what they choose; other reports stay open', async () => {
    const [own, other] = [await report(), await report({ by: tim })];
    const response = await requests.rotate(admin, own.uuid, { grace_period_seconds: 86_400 });
    expect(response.status).toBe(201);
    expect([(await endOf(own))[0], (await endOf(other))[0]]).toEqual(['done', 'open']);
  });

  test('is done when the old token has lapsed, although the rotation was called before it and waited', async () => {
    const uuid = crypto.randomUUID();
    // The transaction uses the only connection, so the rotation waits until the report is made.
    const reporting = ctx.db.transaction(async (tx) => {
      ctx.clock.advance(1000);
      const createdAt = ctx.clock.now();
      await tx.insert(rotationRequests).values({
        accountId: account.id,
        uuid,
        apiKeyId: key.id,
        requestedById: support.personId,
        memberId: admin.personId,
        act: 'rotate',
        reason: 'leaked',
        state: 'open',
        createdAt,
        expiresAt: new Date(createdAt.getTime() + 72 * hourMs),
      });
      ctx.clock.advance(1);
    });
    const input = { apiKey: String(key.id), grace_period_seconds: 3600 };
    await Promise.all([reporting, rotateApiKey(ctx, owner, input)]);
    expect((await endOf({ uuid }))[0]).toBe('open');
    ctx.clock.advance(hourMs);
    await expireRotationRequests(ctx);
    expect((await endOf({ uuid }))[0]).toBe('done');
  });

  test('is closed with every other request of the key, and each person who asked is told', async () => {
    const planned = await requests.make({ by: owner, reason: 'scheduled' });
    const reports = [await report(), await report({ by: tim })];
    await requests.rotate(admin, reports[0]?.uuid ?? '', { grace_period_seconds: 0 });
    for (const request of [planned, ...reports]) expect((await endOf(request))[0]).toBe('done');
    const rotated = 'The API key "Production" was rotated';
    expect((await mailed()).toSorted()).toEqual(
      [owner, support, tim].map(({ email }) => `${rotated} → ${email}`).toSorted(),
    );
  });
});

describe('the same request again', () => {
  test.each(['scheduled', 'leaked'])(
    'returns the open one, and sends no second email: %s',
    async (reason) => {
      const before = ctx.mails.length;
      const first = await requests.make({ reason, note: 'Ask Ida.' });
      expect(await requests.make({ reason, note: 'Ask Ida.' })).toEqual(first);
      // Of a leak, the owner is told, too.
      expect(ctx.mails).toHaveLength(before + (reason === 'leaked' ? 2 : 1));
      const actions = (await requests.audited()).filter((each) => each.startsWith('rotation_'));
      expect(actions).toEqual(['rotation_request.created by Ida support: Production']);
    },
  );

  test('is another report once the tokens of the first have ended, even before that is stored', async () => {
    const first = await report();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 3600 });
    ctx.clock.advance(hourMs);
    const second = await report();
    expect(await endOf(first)).toEqual(['done', 'Ida owner']);
    expect(await endOf(second)).toEqual(['open', undefined]);
    expect(await requests.audited()).toContain('rotation_request.done by Housekeeping: Production');
  });
});

describe('revoking a leaked key', () => {
  test('is possible for the person who reported the leak, although their role ends no token', async () => {
    const small = await account.key({ name: 'Small', scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${small.id}`;
    expect((await support.delete(path)).status).toBe(403);
    const refused = await support.post(`${path}/rotate`, { grace_period_seconds: 0 });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('request a rotation with the reason');
    expect(await works(api, small.token)).toBe(true);

    const request = await report({ apiKey: small.id });
    const response = await requests.revoke(support, request.uuid);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await works(api, small.token)).toBe(false);
    expect(dataOf(await owner.get(path))).toMatchObject({
      status: 'revoked',
      revoked_by: { id: support.personId },
      revoked_reason: 'Reported as leaked',
    });
    expect((await endOf(request))[0]).toBe('revoked');
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.revoked by Ida support: Small',
      'rotation_request.revoked by Ida support: Small',
    ]);
  });

  test('tells all owners and admins by email who revoked the key and why, and nobody else', async () => {
    const { id } = await addPerson(ctx, { email: 'second@example.com' });
    await addMember(ctx, { accountId: account.id, personId: id, role: 'owner' });
    const { uuid } = await report({ note: 'It is public.' });
    const before = ctx.mails.length;
    await requests.revoke(support, uuid);
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(
      [admin.email, owner.email, 'second@example.com'].toSorted(),
    );
    expect(mails[0]?.subject).toBe('Leaked: the API key "Production" was revoked');
    expect(mails[0]?.text.split('\n\n').slice(1, 5)).toEqual([
      'Someone reported that the token of the API key "Production" may have leaked, and revoked the key.',
      'Its tokens no longer work: calls with them are rejected. Anyone who used the key needs a new one.',
      expect.stringMatching(
        /^API key: Production\nRevoked by: Ida support \(.*@.*, Support\)\nTime: .* UTC\nNote: It is public\.\nAccount: Marlow & Finch$/,
      ),
      `Open the key:\n${ctx.config.publicUrl.origin}/a/${account.id}/settings/api-keys/${key.id}`,
    ]);
  });

  test('is limited to three a day for a person, over all their accounts', async () => {
    const elsewhere = await api.account();
    for (const uuid of await reportKeys(3)) {
      ctx.clock.advance(hourMs);
      expect((await requests.revoke(support, uuid)).status).toBe(204);
    }
    await requests.removeMember(support);
    const { personId } = support;
    await addMember(ctx, { accountId: elsewhere.id, personId, role: 'support' });
    const member = (await elsewhere.member('admin')).personId;
    const { uuid } = await report({ apiKey: (await elsewhere.key()).id, member });
    const refused = await requests.revoke(support, uuid);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '79200']);
    expect(refused.text).toContain('Ask an owner, an admin or someone else in support');
    ctx.clock.advance(22 * hourMs - 1);
    expect((await requests.revoke(support, uuid)).status).toBe(429);
    ctx.clock.advance(1);
    expect((await requests.revoke(support, uuid)).status).toBe(204);
  });

  test('beyond three a day is confirmed by someone else of support, and counts for neither', async () => {
    const [fourth = '', fifth = '', ...firstThree] = await reportKeys(5);
    for (const uuid of firstThree) await requests.revoke(support, uuid);
    expect((await requests.revoke(support, fourth)).status).toBe(429);
    expect((await requests.revoke(tim, fourth)).status).toBe(204);
    expect((await requests.revoke(tim, fifth)).status).toBe(204);
    expect(ctx.mails.at(-1)?.text).toContain('Reported by: Ida support');
    const { personId } = tim;
    expect(await countLeakRevocationsLeft(ctx.db, { personId, now: ctx.clock.now() })).toBe(3);
  });

  test('needs an open request with that reason', async () => {
    const { uuid } = await requests.make({ reason: 'left' });
    expect(detailsOf(await requests.revoke(support, uuid))).toEqual({
      rotation_request: ['Only a key reported as leaked can be revoked this way.'],
    });
    const none = await requests.revoke(admin, crypto.randomUUID());
    for (const person of [admin, owner]) {
      const response = await requests.revoke(person, uuid);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
    const withdrawn = await report();
    await requests.withdraw(support, withdrawn.uuid);
    const expired = await report();
    ctx.clock.advance(72 * hourMs);
    for (const ended of [withdrawn, expired]) {
      expect(refusedFields(await requests.revoke(support, ended.uuid))).toEqual([
        'rotation_request',
      ]);
    }
    expect(await works(api, key.token)).toBe(true);
  });

  test('is refused once one may no longer rotate keys', async () => {
    const { uuid } = await report();
    await requests.setRole(support, 'viewer');
    expect((await requests.revoke(support, uuid)).status).toBe(403);
    await requests.removeMember(support);
    expect((await requests.revoke(support, uuid)).status).toBe(401);
  });

  async function reportKeys(count: number): Promise<string[]> {
    const uuids: string[] = [];
    while (uuids.length < count)
      uuids.push((await report({ apiKey: (await account.key()).id })).uuid);
    return uuids;
  }
});

async function report(
  options: Parameters<RotationRequests['make']>[0] = {},
): Promise<RotationRequest> {
  return await requests.make({ reason: 'leaked', ...options });
}

/** The owner rotates the key. */
async function rotate(body: unknown): Promise<void> {
  expect((await owner.post(`/api/v1/api-keys/${key.id}/rotate`, body)).status).toBe(201);
}

/** Its state, and who closed it. */
async function endOf(request: { uuid: string }): Promise<[string, string | undefined]> {
  const { state, closedBy } = await requests.rowOf(request);
  return [state, closedBy?.name];
}

/** The emails about outcomes that are due to these members, as "subject → address". */
async function mailed(): Promise<string[]> {
  return await requests.mailOutcomes([owner, admin, support, tim]);
}
