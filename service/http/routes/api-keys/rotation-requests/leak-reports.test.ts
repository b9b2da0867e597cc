import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { rotationRequests } from '../../../../db/schema/api-keys/rotation-requests.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { expireRotationRequests } from '../../../../domain/rotation-requests/outcomes/store-end.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { RotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

/** Rotation requests with the reason "leaked". */
const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();
/** Another member of the support staff. */
let colleague: PersonActor;

beforeEach(async () => {
  const { id: personId, email } = await addPerson(ctx, { name: 'Tim' });
  await addMember(ctx, { accountId: account.id, personId, role: 'support' });
  colleague = { ...support, personId, personName: 'Tim', email };
  // The key is older than the reports about it.
  ctx.clock.advance(1);
});

describe('a report of a leak', () => {
  test('is possible beside somebody else’s open request, and lets the reporter revoke the key', async () => {
    const planned = await requests.make({ reason: 'scheduled' });
    const report = await reportLeak({ by: colleague, member: owner.personId });
    expect((await requests.uuidsFor(support)).toSorted()).toEqual(
      [planned.uuid, report.uuid].toSorted(),
    );
    expect(await requests.uuidsFor(colleague)).toEqual([report.uuid]);
    expect((await requests.revoke(colleague, report.uuid)).status).toBe(204);
    expect(await works(api, key.token)).toBe(false);
    expect([await stateOf(planned), await stateOf(report)]).toEqual(['revoked', 'revoked']);
  });

  test('is possible beside somebody else’s report, and either can lead to the revocation', async () => {
    const first = await reportLeak();
    const second = await reportLeak({ by: colleague });
    expect(first.uuid).not.toBe(second.uuid);
    expect((await requests.revoke(colleague, second.uuid)).status).toBe(204);
    // Only the second reporter's limit of revocations counts it.
    expect([await closedBy(first), await closedBy(second)]).toEqual(['Tim', 'Tim']);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'revoked']);
  });

  test('to another member replaces one’s own report', async () => {
    const first = await reportLeak();
    const second = await reportLeak({ member: owner.personId });
    expect(await requests.uuidsFor(support)).toEqual([second.uuid]);
    expect(await stateOf(first)).toBe('withdrawn');
    expect(await mailed()).toEqual([
      `The request to rotate the API key "Production" was withdrawn → ${admin.email}`,
    ]);
  });

  test('prevents requests for other reasons, which it makes superfluous', async () => {
    await reportLeak();
    expect(detailsOf(await requests.ask({ by: colleague, reason: 'lost' }))).toHaveProperty(
      'api_key',
    );
    expect(detailsOf(await requests.ask({ reason: 'lost' }))).toHaveProperty('api_key');
  });

  test('is shown to everybody who may see the key, whoever made it and whoever was asked', async () => {
    const report = await reportLeak();
    for (const member of [owner, colleague, viewer]) {
      expect(await requests.uuidsFor(member)).toEqual([report.uuid]);
      const paths = [`rotation-requests/${report.uuid}`, 'rotation-request-history'];
      for (const path of paths) {
        const response = await api.as(member).get(`/api/dashboard/${path}`);
        expect([member.role, path, response.status]).toEqual([member.role, path, 200]);
        expect(response.text).toContain(report.uuid);
      }
    }
    expect(await requests.uuidsFor(await (await api.account()).member('owner'))).toEqual([]);
  });

  test('stays open while a token that existed when it was made works after somebody else’s rotation', async () => {
    const report = await reportLeak();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 86_400 });
    expect(await stateOf(report)).toBe('open');
    expect(await requests.uuidsFor(support)).toEqual([report.uuid]);
    expect(await mailed()).toEqual([]);
    expect((await requests.revoke(support, report.uuid)).status).toBe(204);
    expect(await works(api, key.token)).toBe(false);
  });

  test('stays open when the key rotates itself, because its old token works', async () => {
    const report = await reportLeak();
    ctx.clock.advance(1);
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    expect((await key.post(path)).status).toBe(201);
    expect(await stateOf(report)).toBe('open');
  });

  test('is done by a rotation that ends every older token', async () => {
    const report = await reportLeak();
    await rotate({ grace_period_seconds: 0 });
    expect([await stateOf(report), await closedBy(report)]).toEqual(['done', 'Ida owner']);
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.rotated by Ida owner: Production',
      'rotation_request.done by Ida owner: Production',
    ]);
  });

  test('is done when the last token that existed when it was made is ended', async () => {
    const report = await reportLeak();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 86_400 });
    ctx.clock.advance(1);
    await endPreviousToken();
    expect(await stateOf(report)).toBe('done');
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.previous_token_ended by Ida owner: Production',
      'rotation_request.done by Ida owner: Production',
    ]);
    expect(await mailed()).toEqual([`The API key "Production" was rotated → ${support.email}`]);
  });

  test('is done when that token is ended by its id', async () => {
    const report = await reportLeak();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 86_400 });
    const { tokens } = dataOf<ApiKey>(await owner.get(`/api/v1/api-keys/${key.id}`));
    const path = `/api/v1/api-keys/${key.id}/tokens/${tokens[1]?.id}`;
    expect((await owner.delete(path)).status).toBe(204);
    expect(await stateOf(report)).toBe('done');
  });

  test('is done when that token has lapsed, by whoever rotated the key', async () => {
    const report = await reportLeak();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 86_400 });
    ctx.clock.advance(24 * hourMs - 1);
    await expireRotationRequests(ctx);
    expect(await stateOf(report)).toBe('open');
    ctx.clock.advance(1);
    await expireRotationRequests(ctx);
    expect([await stateOf(report), await closedBy(report)]).toEqual(['done', 'Ida owner']);
    expect((await requests.audited()).at(-1)).toBe(
      'rotation_request.done by Housekeeping: Production',
    );
  });

  test('is not done by the end of a token that was replaced before it: the newest may have leaked', async () => {
    await rotate({ grace_period_seconds: 86_400 });
    ctx.clock.advance(1);
    const report = await reportLeak();
    ctx.clock.advance(1);
    await endPreviousToken();
    expect(await stateOf(report)).toBe('open');
    ctx.clock.advance(25 * hourMs);
    await expireRotationRequests(ctx);
    expect(await stateOf(report)).toBe('open');
  });

  test('is done when the unused token it is about is replaced', async () => {
    await rotate({ grace_period_seconds: 0 });
    ctx.clock.advance(1);
    const report = await reportLeak();
    ctx.clock.advance(1);
    await replaceUnusedToken();
    expect([await stateOf(report), await closedBy(report)]).toEqual(['done', 'Ida owner']);
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.token_replaced by Ida owner: Production',
      'rotation_request.done by Ida owner: Production',
    ]);
  });

  test('is done when that token was replaced and the older one has lapsed', async () => {
    await rotate({ grace_period_seconds: 3600 });
    ctx.clock.advance(1);
    const report = await reportLeak();
    ctx.clock.advance(1);
    await replaceUnusedToken({ by: admin });
    expect(await stateOf(report)).toBe('open');
    ctx.clock.advance(hourMs);
    await expireRotationRequests(ctx);
    expect(await stateOf(report)).toBe('done');
    expect(await closedBy(report), 'who replaced the token').toBe(admin.personName);
  });

  test('is done if the member it names rotates the key on it, whatever they choose; other reports stay open', async () => {
    const [report, other] = [await reportLeak(), await reportLeak({ by: colleague })];
    expect(
      (await requests.rotate(admin, report.uuid, { grace_period_seconds: 86_400 })).status,
    ).toBe(201);
    expect([await stateOf(report), await stateOf(other)]).toEqual(['done', 'open']);
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
    expect(await stateOf({ uuid })).toBe('open');
    ctx.clock.advance(hourMs);
    await expireRotationRequests(ctx);
    expect(await stateOf({ uuid })).toBe('done');
  });

  test('is closed with every other request of the key, and each person who asked is told', async () => {
    const planned = await requests.make({ by: owner, reason: 'scheduled' });
    const reports = [await reportLeak(), await reportLeak({ by: colleague })];
    expect(
      (await requests.rotate(admin, reports[0]?.uuid ?? '', { grace_period_seconds: 0 })).status,
    ).toBe(201);
    for (const request of [planned, ...reports]) expect(await stateOf(request)).toBe('done');
    const subject = 'The API key "Production" was rotated';
    const addresses = [owner, support, colleague].map(({ email }) => email);
    expect((await mailed()).toSorted()).toEqual(
      addresses.map((address) => `${subject} → ${address}`).toSorted(),
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
      expect(
        (await requests.audited()).filter((each) => each.startsWith('rotation_request')),
      ).toEqual(['rotation_request.created by Ida support: Production']);
    },
  );

  test('is another report once the tokens of the first have ended, even before that is stored', async () => {
    const first = await reportLeak();
    ctx.clock.advance(1);
    await rotate({ grace_period_seconds: 3600 });
    ctx.clock.advance(hourMs);
    const second = await reportLeak();
    expect([await stateOf(first), await stateOf(second)]).toEqual(['done', 'open']);
    expect(await closedBy(first)).toBe('Ida owner');
    expect(await requests.audited()).toContain('rotation_request.done by Housekeeping: Production');
  });

  test('to another member is refused, and addresses whoever asked as "you"', async () => {
    const { expires_at: end } = await requests.make({ reason: 'lost' });
    expect(detailsOf(await requests.ask({ reason: 'lost', member: owner.personId }))).toEqual({
      api_key: [
        `You already asked Ida admin to rotate this key. That request is open until ${end}, unless it is withdrawn or declined before.`,
      ],
    });
  });
});

async function reportLeak(
  options: Parameters<RotationRequests['make']>[0] = {},
): Promise<RotationRequest> {
  return await requests.make({ reason: 'leaked', ...options });
}

/** The owner rotates the key. */
async function rotate(body: unknown): Promise<void> {
  expect((await owner.post(`/api/v1/api-keys/${key.id}/rotate`, body)).status).toBe(201);
}

/** A member is shown another token in place of the newest, which nobody used. */
async function replaceUnusedToken({ by = owner } = {}): Promise<void> {
  const { tokens } = dataOf<ApiKey>(await api.as(by).get(`/api/v1/api-keys/${key.id}`));
  const path = `/api/dashboard/api-keys/${key.id}/replace-unconfirmed-token`;
  const body = { expected_last_four: tokens[0]?.last_four };
  expect((await api.as(by).post(path, body)).status).toBe(201);
}

async function endPreviousToken(): Promise<void> {
  const path = `/api/v1/api-keys/${key.id}/previous-token`;
  expect((await owner.delete(path)).status).toBe(204);
}

async function stateOf(request: { uuid: string }): Promise<string> {
  return (await requests.rowOf(request)).state;
}

async function closedBy(request: RotationRequest): Promise<string | undefined> {
  return (await requests.rowOf(request)).closedBy?.name;
}

/** The emails about outcomes that are due to these members, as "subject → address". */
async function mailed(): Promise<string[]> {
  return await requests.mailOutcomes([owner, admin, support, colleague]);
}
