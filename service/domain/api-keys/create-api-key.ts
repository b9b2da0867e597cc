import type { z } from 'zod';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { createApiKey as contract } from '#lib/contract/api-keys/api-keys.ts';
import type { createApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { ActorReference } from '../../db/schema/columns.ts';
import { digestToken, lastFour, newToken } from '../../tokens/token.ts';
import type { AccountId } from '../account-id.ts';
import { actorReference, type Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { claimRequest, type EarlierRequest } from '../idempotency/claim-request.ts';
import { claimQuota } from '../quotas/quotas.ts';
import { saveNow } from '../secret-messages.ts';
import { disclosedTo } from '../disclosure.ts';
import {
  checkFields,
  findProblems,
  type CheckedFields,
  type ResponsibleColumns,
} from './check-fields.ts';
import { confirmActor, exceedsActor, type ConfirmedActor } from './confirm-actor.ts';
import { describeStoredApiKey } from './describe-api-key.ts';
import { describeReplacedUnused, replaceUnusedToken } from './rotation/replace-unused-token.ts';
import { findCidrProblems, parseCidrs, passedNotices } from './rules.ts';
import { announceApiKeyChange, insertApiKey, type ApiKeyRow } from './store/keys.ts';
import { insertToken, type TokenRow } from './store/tokens.ts';
import type { MadeToken } from './tokens/is-own-rotation.ts';

type NewApiKey = { apiKey: ApiKey; token: string; message: string };

/**
 * Creates a key and its first token. Only this response contains the token. If the request is
 * repeated with its `Idempotency-Key`, no other key is created: the token is replaced, unless it
 * was used.
 *
 * @throws ServiceError VALIDATION_ERROR (expiry in the past, networks, a limit above the account's,
 *   a responsible person who is not a member, the quota of active keys, or on `Idempotency-Key` for a
 *   repeat that is refused), FORBIDDEN if the key would have a wider reach or a higher limit than
 *   its creator.
 */
export async function createApiKey(
  ctx: Context,
  actor: Actor,
  {
    idempotencyKey = null,
    ...input
  }: z.output<typeof createApiKeyInput> & {
    idempotencyKey?: string | null;
  },
): Promise<NewApiKey> {
  const calledAt = ctx.clock.now();
  const given = givenFor(actor.accountId, input);
  // No request with such networks can have succeeded before.
  if (findCidrProblems(input.allowed_cidrs ?? []).length > 0) await checkFields(ctx, ctx.db, given);
  const wanted = readInput(input);
  const repeatable = { key: idempotencyKey, route: contract.name, request: input };

  const made = await ctx.db.transaction(async (tx): Promise<NewApiKey> => {
    const { earlier, keep } = await claimRequest<MadeToken>(tx, actor, {
      ...repeatable,
      now: calledAt,
    });
    const confirmed = await confirmActor(tx, actor, {
      config: ctx.config,
      clock: ctx.clock,
      ...contract.access,
      targetId: earlier?.kept.apiKeyId ?? null,
    });
    if (earlier) {
      return await repeatCreation(ctx, actor, { tx, confirmed, earlier, now: ctx.clock.now() });
    }
    // Not for a repeat: when the key was created, the time was in the future.
    const responsible = await checkFields(ctx, tx, given);
    if (!confirmed.mayHandle(wanted)) throw exceedsActor(actor);
    await claimQuota(ctx, tx, { accountId: actor.accountId, of: 'api_keys' });
    const now = ctx.clock.now();
    const { key, token, tokenRow } = await insertWithToken(tx, actor, {
      wanted: { ...wanted, ...responsible },
      now,
    });
    await recordAudit(tx, {
      actor,
      action: 'api_key.created',
      at: now,
      target: { kind: 'api_key', id: key.uuid, name: key.name },
      changes: auditedDetails(key),
    });
    const callerTokenId = actor.kind === 'api_key' ? actor.tokenId : null;
    await keep({ apiKeyId: key.id, tokenId: tokenRow.id, callerTokenId });
    const { accountId } = actor;
    return {
      apiKey: await describeStoredApiKey(tx, { key, tokens: [tokenRow] }, { accountId, now }),
      token,
      message: saveNow('token'),
    };
  });
  ctx.keyCache.evict(made.apiKey.id);
  return made;
}

/** Everything that is wrong with these fields of a new key, for one response. */
export async function findCreationProblems(
  ctx: Context,
  { accountId, fields }: { accountId: AccountId; fields: CheckedFields },
): Promise<ErrorDetails> {
  return await findProblems(ctx, ctx.db, givenFor(accountId, fields));
}

/** The contract checks the scopes, because the type of the key is in the same body. */
function givenFor(accountId: AccountId, fields: CheckedFields) {
  return { accountId, type: null, fields, expiryAdvice: 'Use a time in the future.' };
}

/** The columns of a new key that its creator chooses, except the responsible person. */
function readInput(input: z.output<typeof createApiKeyInput>) {
  return {
    name: input.name,
    type: input.type,
    scopes: input.scopes ?? null,
    expiresAt: input.expires_at ? new Date(input.expires_at) : null,
    allowedCidrs: parseCidrs(input.allowed_cidrs ?? []),
    rateLimitPerMinute: input.rate_limit_per_minute ?? null,
    description: input.description ?? null,
    tags: input.tags ?? [],
  };
}

async function insertWithToken(
  tx: Tx,
  actor: Actor,
  { wanted, now }: { wanted: ReturnType<typeof readInput> & ResponsibleColumns; now: Date },
): Promise<{ key: ApiKeyRow; token: string; tokenRow: TokenRow }> {
  const made = { accountId: actor.accountId, createdAt: now, createdBy: actorReference(actor) };
  const key = await insertApiKey(tx, {
    ...wanted,
    ...made,
    updatedAt: now,
    expiryNotices: passedNotices(wanted.expiresAt, now),
  });
  const token = newToken();
  const tokenRow = await insertToken(tx, {
    ...made,
    apiKeyId: key.id,
    digest: digestToken(token),
    lastFour: lastFour(token),
    ...disclosedTo(actor, now),
  });
  return { key, token, tokenRow };
}

function auditedDetails(key: ApiKeyRow) {
  return {
    type: key.type,
    scopes: key.scopes,
    expires_at: key.expiresAt,
    description: key.description ?? undefined,
    tags: key.tags.length > 0 ? key.tags : undefined,
    responsible: key.responsibleName ?? undefined,
    rate_limit_per_minute: key.rateLimitPerMinute ?? undefined,
  };
}

async function repeatCreation(
  ctx: Pick<Context, 'effects'>,
  actor: Actor,
  {
    tx,
    confirmed,
    earlier,
    now,
  }: { tx: Tx; confirmed: ConfirmedActor; earlier: EarlierRequest<MadeToken>; now: Date },
): Promise<NewApiKey> {
  const { target: key, mayHandle } = confirmed;
  if (!key) throw notFound();
  if (!mayHandle(key)) throw exceedsActor(actor);
  const { token, tokens, replacedUnused } = await replaceUnusedToken(ctx, actor, {
    tx,
    key,
    earlier,
    now,
  });
  await announceApiKeyChange(tx, key.id);
  return {
    apiKey: await describeStoredApiKey(tx, { key, tokens }, { accountId: actor.accountId, now }),
    token,
    message: `${saveNow('token')} ${describeReplacedUnused(replacedUnused)}`,
  };
}

/** Stores an operator's well-formed token as an ordinary `full` key named "Initial key". */
export async function importInitialKey(
  tx: Tx,
  {
    accountId,
    token,
    by: createdBy,
    now,
  }: { accountId: AccountId; token: string; by: ActorReference; now: Date },
): Promise<void> {
  const key = await insertApiKey(tx, {
    accountId,
    name: 'Initial key',
    type: 'full',
    createdAt: now,
    createdBy,
    updatedAt: now,
  });
  await insertToken(tx, {
    accountId,
    apiKeyId: key.id,
    digest: digestToken(token),
    lastFour: lastFour(token),
    createdAt: now,
    createdBy,
    shownTo: null,
  });
}
