import type { z } from 'zod';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { updateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { Context } from '../../context.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor } from '../actor.ts';
import { listChanges, recordAudit } from '../audit/record-audit.ts';
import { isNoOp } from '../is-no-op.ts';
import { forbidden } from '../errors.ts';
import { exceedsActor } from './confirm-actor.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { changeApiKey, refuseEndedKey } from './change-api-key.ts';
import { checkFields, findProblems, type CheckedFields } from './check-fields.ts';
import { parseCidrs, passedNotices } from './rules.ts';
import { describeStoredApiKey } from './describe-api-key.ts';
import { findApiKeyType, updateApiKeyRow, type ApiKeyRow } from './store/keys.ts';
import { validTokens } from './store/tokens.ts';

const expiryAdvice = 'Use a time in the future, or revoke the key.';

/**
 * Changes a key's name, scopes, expiry, networks, description, tags, responsible person, own rate
 * limit or whether it may rotate itself. Its type never changes.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the key reaches further than the actor before or
 *   after the change, or if a key changes whether one may rotate itself; VALIDATION_ERROR for scopes
 *   that its type cannot have, an expiry in the past, a limit above the account's, a responsible
 *   person who is not a member, or a key that is revoked or expired
 */
export async function updateApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof updateApiKeyInput>,
): Promise<ApiKey> {
  const { accountId } = actor;
  const { may_rotate_itself: mayRotateItself } = input;
  if (mayRotateItself !== undefined && actor.kind === 'api_key') throw forbidden('people_only');
  const given = { accountId, fields: input, expiryAdvice };
  const storedType = await typeOf(ctx, accountId, input.apiKey);
  await checkFields(ctx, ctx.db, { ...given, type: storedType });
  const allowedCidrs = input.allowed_cidrs && parseCidrs(input.allowed_cidrs);
  const expiresAt =
    typeof input.expires_at === 'string' ? new Date(input.expires_at) : input.expires_at;
  const limit = input.rate_limit_per_minute;
  return await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.update',
    change: async ({ tx, key, now, mayHandle }) => {
      refuseEndedKey(key, now);
      const describe = async (row: ApiKeyRow) => {
        const tokens = await validTokens(tx, key, now);
        return await describeStoredApiKey(tx, { key: row, tokens }, { accountId, now });
      };
      // Again, because the call may have waited for the key.
      const responsible = await checkFields(ctx, tx, { ...given, type: key.type });
      const change = {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.scopes !== undefined && { scopes: input.scopes }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(allowedCidrs !== undefined && { allowedCidrs }),
        ...(input.description !== undefined && { description: input.description }),
        ...(input.tags !== undefined && { tags: input.tags }),
        ...(input.responsible_id !== undefined && responsible),
        ...(limit !== undefined && { rateLimitPerMinute: limit }),
        ...(mayRotateItself !== undefined && { mayRotateItself }),
      };
      if (!mayHandle({ ...key, ...change })) throw exceedsActor(actor);

      if (isNoOp(key, change)) return await describe(key);

      const updated = await updateApiKeyRow(tx, key, {
        ...change,
        ...(expiresAt !== undefined && { expiryNotices: passedNotices(expiresAt, now) }),
        updatedAt: now,
      });
      await recordAudit(tx, {
        actor,
        action: 'api_key.updated',
        at: now,
        target: { kind: 'api_key', id: key.uuid, name: updated.name },
        changes: listChanges(auditedFields(key), auditedFields(updated)),
      });
      return await describe(updated);
    },
  });
}

/** All that is wrong with a change, for one response. Scopes: only if the account has the key. */
export async function findChangeProblems(
  ctx: Context,
  { accountId, apiKey, fields }: { accountId: AccountId; apiKey: string; fields: CheckedFields },
): Promise<ErrorDetails> {
  const type = await typeOf(ctx, accountId, apiKey);
  return await findProblems(ctx, ctx.db, { accountId, type, fields, expiryAdvice });
}

async function typeOf({ db }: Context, accountId: AccountId, apiKey: string) {
  const reference = parseResourceReference(apiKey);
  return reference && (await findApiKeyType(db, accountId, reference));
}

function auditedFields(key: ApiKeyRow) {
  return {
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expiresAt,
    allowed_cidrs: key.allowedCidrs,
    description: key.description,
    tags: key.tags,
    responsible: key.responsibleName,
    rate_limit_per_minute: key.rateLimitPerMinute,
    may_rotate_itself: key.mayRotateItself,
  };
}
