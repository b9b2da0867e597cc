import type { z } from 'zod';
import type { revokeApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { publishEvent } from '../events/publish-event.ts';
import type { MailContent, MailFact } from '../../mail/mail.ts';
import type { Traced } from '../../tracing/tracing.ts';
import { mintAccountId } from '../account-id.ts';
import { actorReference, type Actor, type OperatorActor, type Origin } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { runEffects } from '../effects.ts';
import { createNotices, sendNotices } from '../people/notices/notices.ts';
import { readAccountName } from '../people/members/read-members.ts';
import { operator, type OperatorContext } from '../people/members/operator/operator.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import { changeApiKey, type LockedApiKey } from './change-api-key.ts';
import {
  announceApiKeyChange,
  lockApiKeys,
  updateApiKeyRow,
  type ApiKeyRow,
} from './store/keys.ts';
import { newestLastFour } from './store/keys-to-mail-about.ts';
import { findTokenByDigest } from './store/tokens.ts';

/**
 * Ends a key and all its tokens for good. Revoking a revoked key changes nothing, so a client that
 * lost the response can repeat the call.
 *
 * @throws ServiceError NOT_FOUND, FORBIDDEN
 */
export async function revokeApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof revokeApiKeyInput>,
): Promise<void> {
  const toQueue = await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.revoke',
    change: (locked) => revokeLockedKey(ctx, actor, { ...locked, reason: input.reason ?? null }),
  });
  ctx.laneNotifier.queue(toQueue);
}

/**
 * Revokes a locked key as part of a change, and publishes that; does nothing if the key is already
 * revoked.
 *
 * @returns the webhooks whose lanes to wake once the transaction has committed
 */
export async function revokeLockedKey(
  ctx: Pick<Context, 'effects' | 'tracing'>,
  actor: Actor | OperatorActor,
  {
    tx,
    key,
    now,
    reason,
    incident,
  }: Pick<LockedApiKey, 'tx' | 'key' | 'now'> & {
    reason: string | null;
    incident?: { uuid: string };
  },
): Promise<number[]> {
  if (key.revokedAt) return [];
  await updateApiKeyRow(tx, key, {
    revokedAt: now,
    revokedReason: reason,
    revokedBy: actorReference(actor),
    updatedAt: now,
  });
  await recordAudit(tx, {
    actor,
    action: 'api_key.revoked',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    changes: { reason, ...(incident && { incident: incident.uuid }) },
  });
  await runEffects(tx, ctx.effects.keyRevoked, { actor, key, now });
  const data = { api_key: await describeKeyOfEvent(tx, key), reason };
  const accountId = mintAccountId(key.accountId);
  return await publishEvent(ctx, tx, {
    accountId,
    origin: actor.origin,
    now,
    event: { type: 'api_key.revoked', data },
  });
}

/**
 * Publishes that the token of a key was reported as leaked.
 *
 * @returns the webhooks whose lanes to wake once the transaction has committed
 */
export async function publishLeakReport(
  ctx: Traced,
  tx: Tx,
  { key, now, origin }: { key: ApiKeyRow; now: Date; origin: Origin | null },
): Promise<number[]> {
  const data = { api_key: await describeKeyOfEvent(tx, key) };
  const accountId = mintAccountId(key.accountId);
  return await publishEvent(ctx, tx, {
    accountId,
    origin,
    now,
    event: { type: 'api_key.leak_reported', data },
  });
}

/** A key as events name it, with the last four characters of its newest token. */
async function describeKeyOfEvent(tx: Tx, key: ApiKeyRow) {
  const { id, uuid, name, type } = key;
  const lastFour = await newestLastFour(tx, key);
  if (lastFour === null) throw new Error('a key has no token');
  return { id, uuid, name, type, last_four: lastFour };
}

/** The key of the token and the name of its account. `wasRevoked`: it was revoked before. */
type RevokedByOperator = { key: string; account: string; wasRevoked: boolean };

/**
 * Revokes the key of a leaked token, for an operator: no support can reach its account, or there
 * are too many leaks for the limits of support. Owners and admins get an email.
 *
 * @returns null if no key has this token
 */
export async function revokeKeyOfToken(
  ctx: OperatorContext,
  digest: Buffer,
): Promise<RevokedByOperator | null> {
  const found = await findTokenByDigest(ctx.db, digest);
  if (!found) return null;
  const accountId = mintAccountId(found.key.accountId);
  const { notices, ...revoked } = await ctx.db.transaction(async (tx) => {
    const [key] = await lockApiKeys(tx, accountId, [found.key.id]);
    const account = await readAccountName(tx, accountId);
    if (!key || key.revokedAt) {
      return { key: found.key.name, account, wasRevoked: true, notices: [] };
    }
    const now = ctx.clock.now();
    const { name } = operator;
    const actor = { kind: 'system', accountId, origin: null, name } as const;
    // The sweep of the service finds the deliveries: this may be another process.
    await publishLeakReport(ctx, tx, { key, origin: null, now });
    await revokeLockedKey(ctx, actor, { tx, key, now, reason: 'Reported as leaked' });
    await announceApiKeyChange(tx, key.id);
    const revokedBy = [['Revoked by', 'An operator of this installation']] as const;
    return {
      key: key.name,
      account,
      wasRevoked: false,
      notices: await createNotices(tx, {
        accountId,
        to: { act: 'api-keys.revoke' },
        subjectId: key.uuid,
        occasion: 'revoked',
        now,
        mail: () => leakRevocationMail(ctx, { key, note: null, revokedBy, now }),
      }),
    };
  });
  sendNotices(ctx, notices);
  return revoked;
}

/** Tells owners and admins that someone revoked a leaked key whose role otherwise forbids it. */
export function leakRevocationMail(
  ctx: { config: Pick<Context['config'], 'publicUrl'> },
  {
    key,
    note,
    revokedBy,
    now,
  }: {
    key: { accountId: string; id: number; name: string };
    /** The note of the report. */
    note: string | null;
    /** From `describeActor`. */
    revokedBy: readonly MailFact[];
    now: Date;
  },
): MailContent {
  return {
    kind: 'api_key.revoked_as_leaked',
    subject: `Leaked: the API key ${quoteShortName(key.name)} was revoked`,
    paragraphs: [
      `Someone reported that the token of the API key ${quoteName(key.name)} may have leaked, and revoked the key.`,
      'Its tokens no longer work: calls with them are rejected. Anyone who used the key needs a new one.',
    ],
    facts: [
      ['API key', plainName(key.name)],
      ...revokedBy,
      ['Time', formatExact(now, 'UTC')],
      ...(note === null ? [] : [['Note', plainName(note)] as const]),
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}
