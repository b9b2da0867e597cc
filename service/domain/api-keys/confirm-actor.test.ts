import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { members } from '../../db/schema/people/members.ts';
import { addDelivery, addEvent } from '../../testing/records/deliveries.ts';
import { useApi } from '../../testing/use-api.ts';
import type { Actor, ApiKeyActor } from '../actor.ts';
import { retryDelivery } from '../deliveries/retry-delivery.ts';
import { testWebhook } from '../deliveries/test-webhook.ts';
import { cancelReplay } from '../replays/cancel-replay.ts';
import { createReplay } from '../replays/create-replay.ts';
import { createWebhook } from '../webhooks/create-webhook.ts';
import { deleteWebhook } from '../webhooks/delete-webhook.ts';
import { regenerateSecret } from '../webhooks/secret/regenerate-secret.ts';
import { updateWithBacklog } from '../replays/update-with-backlog.ts';
import { updateWebhook } from '../webhooks/update-webhook.ts';

const window = {
  since: '2026-11-20T00:00:00Z',
  status: 'all',
  include_pending: false,
  include_earlier: false,
  dry_run: false,
} as const;

type Target = { webhook: string; paused: string; delivery: string; replay: string };

/** Every verb of webhooks that writes. */
const verbs: [string, (actor: Actor, target: Target) => Promise<unknown>][] = [
  [
    'creating',
    (actor) =>
      createWebhook(ctx, actor, {
        name: 'Hook',
        url: 'https://example.com/',
        events: ['message.created'],
        is_active: true,
      }),
  ],
  ['changing', (actor, { webhook }) => updateWebhook(ctx, actor, { webhook, name: 'Other' })],
  [
    'resuming',
    (actor, { paused }) =>
      updateWithBacklog(ctx, actor, { webhook: paused, is_active: true, backlog: 'skip' }),
  ],
  ['regenerating', (actor, { webhook }) => regenerateSecret(ctx, actor, { webhook })],
  [
    'testing',
    // A viewer may send a plain test, and a token in its grace period may send nothing else.
    (actor, { webhook }) =>
      testWebhook(ctx, actor, {
        webhook,
        type: actor.kind === 'person' ? 'message.created' : 'webhook.test',
      }),
  ],
  ['retrying', (actor, { delivery }) => retryDelivery(ctx, actor, { delivery })],
  [
    'replaying',
    (actor, { webhook }) => createReplay(ctx, actor, { webhook, ...window, status: 'failed' }),
  ],
  ['cancelling', (actor, { replay }) => cancelReplay(ctx, actor, { replay })],
  ['deleting', (actor, { webhook }) => deleteWebhook(ctx, actor, { webhook })],
];

const { ctx, api, account } = useApi({ accountFor: 'test' });

describe.each(verbs)('%s', (_verb, act) => {
  const ofKey = ({ keyId }: ApiKeyActor) => eq(apiKeys.id, keyId);
  const ofToken = ({ tokenId }: ApiKeyActor) => eq(apiKeyTokens.id, tokenId);

  test.each<[what: string, code: string, happen: (actor: ApiKeyActor) => PromiseLike<unknown>]>([
    [
      'the key was revoked',
      'UNAUTHORIZED',
      (actor) => ctx.db.update(apiKeys).set({ revokedAt: ctx.clock.now() }).where(ofKey(actor)),
    ],
    [
      'the token ended',
      'UNAUTHORIZED',
      (actor) =>
        ctx.db.update(apiKeyTokens).set({ validUntil: ctx.clock.now() }).where(ofToken(actor)),
    ],
    [
      'the key lost the scope',
      'FORBIDDEN',
      (actor) =>
        ctx.db
          .update(apiKeys)
          .set({ type: 'limited', scopes: ['webhooks:read'] })
          .where(ofKey(actor)),
    ],
  ])('is refused if %s after authentication', async (_what, code, happen) => {
    const { actor, target } = await prepare();
    await happen(actor);
    await expectRefusal(code, () => act(actor, target));
  });

  test('is refused to a token that ended while the call waited for the database', async () => {
    const { actor, target } = await prepare();
    await expectRefusal('UNAUTHORIZED', async () => {
      // The transaction uses the only connection, so the call waits until the token has ended.
      const ending = ctx.db.transaction(async (tx) => {
        ctx.clock.advance(1000);
        await tx.update(apiKeyTokens).set({ validUntil: ctx.clock.now() }).where(ofToken(actor));
      });
      await Promise.all([ending, act(actor, target)]);
    });
  });

  test.each<[what: string, change: () => Promise<Partial<typeof members.$inferInsert>>]>([
    ['was demoted', async () => ({ role: 'viewer' })],
    ['belongs to another account only', async () => ({ accountId: (await api.account()).id })],
  ])('is refused if the member %s after authentication', async (_what, change) => {
    const { target } = await prepare();
    const admin = await account.member('admin');
    const row = and(eq(members.accountId, account.id), eq(members.personId, admin.personId));
    await ctx.db
      .update(members)
      .set(await change())
      .where(row);
    await expectRefusal('FORBIDDEN', () => act(admin, target));
  });

  test('is done for a token in its grace period', async () => {
    const { actor, target } = await prepare();
    const validUntil = new Date(ctx.clock.now().getTime() + 1);
    await ctx.db.update(apiKeyTokens).set({ validUntil }).where(ofToken(actor));
    await expect(act(actor, target)).resolves.not.toThrow();
  });
});

/** A caller as authentication saw it, and something to act on. */
async function prepare(): Promise<{ actor: ApiKeyActor; target: Target }> {
  const owner = await account.member('owner');
  const key = await account.key();
  const token = await ctx.db.query.apiKeyTokens.findFirst({
    where: (tokens, is) => is.eq(tokens.apiKeyId, key.id),
  });
  const webhook = await account.webhook();
  const paused = await account.webhook({ isActive: false });
  const event = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, event, { webhookId: webhook.id, status: 'failed' });
  await addDelivery(ctx, event, { webhookId: paused.id });
  const begun = await createReplay(ctx, owner, { webhook: webhook.uuid, ...window });
  if (!token || begun.kind !== 'begun') throw new Error('the test has nothing to act on');
  return {
    actor: {
      kind: 'api_key',
      accountId: account.id,
      origin: owner.origin,
      keyId: key.id,
      keyUuid: key.uuid,
      keyName: 'Key',
      tokenId: token.id,
      scopes: ['webhooks:manage'],
      rateLimitPerMinute: null,
      endsAt: null,
      isInGrace: false,
    },
    target: {
      webhook: webhook.uuid,
      paused: paused.uuid,
      delivery: delivery.uuid,
      replay: begun.replay.uuid,
    },
  };
}

async function expectRefusal(code: string, act: () => Promise<unknown>): Promise<void> {
  const written = () =>
    Promise.all([
      ctx.db.$count(auditEntries),
      ctx.db.query.deliveries.findMany({ orderBy: (rows, { asc }) => asc(rows.id) }),
    ]);
  const before = await written();
  await expect(act()).rejects.toMatchObject({ code });
  expect(await written()).toEqual(before);
}
