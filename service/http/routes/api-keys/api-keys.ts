import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/api-keys.ts';
import { notifyOwnersOfExpiry as notifyOwnersRoute } from '#lib/contract/api-keys/expiry-notice.ts';
import * as failedCalls from '#lib/contract/api-keys/failed-calls.ts';
import * as shownTokens from '#lib/contract/api-keys/shown-tokens.ts';
import * as search from '#lib/contract/api-keys/token-search.ts';
import * as tokenUse from '#lib/contract/api-keys/token-use.ts';
import * as usage from '#lib/contract/api-keys/usage.ts';
import * as unconfirmed from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import { allRoutes } from '#lib/contract/routes.ts';
import type { Context } from '../../../context.ts';
import {
  findFailedCalls,
  listFailedCalls,
} from '../../../domain/api-keys/calls/list-failed-calls.ts';
import { getApiKeyUsage, listCallsOfKeys } from '../../../domain/api-keys/calls/read-usage.ts';
import { createApiKey, findCreationProblems } from '../../../domain/api-keys/create-api-key.ts';
import { listApiKeysUsedFrom } from '../../../domain/api-keys/incident/incident-keys.ts';
import { setApiKeyPaused } from '../../../domain/api-keys/set-api-key-paused.ts';
import {
  getApiKey,
  getCallingApiKey,
  listApiKeys,
  listEndedApiKeys,
} from '../../../domain/api-keys/read-api-keys.ts';
import { notifyOwnersOfExpiry } from '../../../domain/api-keys/notify-owners-of-expiry.ts';
import { revokeApiKey } from '../../../domain/api-keys/revoke-api-key.ts';
import { previewRotation } from '../../../domain/api-keys/rotation/decide-rotation.ts';
import {
  confirmToken,
  replaceUnconfirmedToken,
} from '../../../domain/api-keys/rotation/replace-unconfirmed-token.ts';
import {
  rotateApiKey,
  rotateCallingApiKey,
} from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { undoRotation } from '../../../domain/api-keys/rotation/undo-rotation.ts';
import { listOldTokens, listTokenUse } from '../../../domain/api-keys/calls/read-token-use.ts';
import {
  endPreviousToken,
  endToken,
  extendToken,
} from '../../../domain/api-keys/tokens/end-token.ts';
import {
  findTokenOfAccount,
  listTokensShownToOthers,
} from '../../../domain/api-keys/tokens/find-token.ts';
import { listTokensOfLeavers } from '../../../domain/api-keys/tokens/known-tokens.ts';
import { findChangeProblems, updateApiKey } from '../../../domain/api-keys/update-api-key.ts';
import { mount } from '../../mount.ts';

export function mountApiKeyRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listApiKeys).handle(async ({ actor, query }) => {
    const { status, ...page } = query;
    if (status === undefined) {
      return { status: 200, body: { success: true, data: await listApiKeys(ctx, actor) } };
    }
    const { apiKeys, nextCursor } = await listEndedApiKeys(ctx, actor, { status, ...page });
    return { status: 200, body: { success: true, data: apiKeys, next_cursor: nextCursor } };
  });

  mount(app, ctx, contract.createApiKey).respond(
    async ({ actor, body, idempotencyKey }) => {
      const input = { ...body, idempotencyKey };
      const { apiKey, token, message } = await createApiKey(ctx, actor, input);
      return { ...apiKey, token, message };
    },
    async (fields, { accountId }) =>
      accountId === null ? {} : await findCreationProblems(ctx, { accountId, fields }),
  );

  mount(app, ctx, contract.rotateApiKey).handle(async ({ actor, params, body, idempotencyKey }) => {
    const { dry_run: isDryRun, ...rotation } = body;
    const input = { apiKey: params.apiKey, ...rotation };
    if (isDryRun) {
      const data = await previewRotation(ctx, actor, input);
      return { status: 200, body: { success: true, data } };
    }
    const data = await rotateApiKey(ctx, actor, { ...input, idempotencyKey });
    return { status: 201, body: { success: true, data } };
  });

  mount(app, ctx, contract.getApiKey).respond(
    async ({ actor, params }) => await getApiKey(ctx, actor, params),
  );

  mount(app, ctx, contract.updateApiKey).respond(
    async ({ actor, params, body }) =>
      await updateApiKey(ctx, actor, { apiKey: params.apiKey, ...body }),
    async (fields, { accountId, params: { apiKey } }) =>
      accountId === null ? {} : await findChangeProblems(ctx, { accountId, apiKey, fields }),
  );

  mount(app, ctx, contract.revokeApiKey).respond(
    async ({ actor, params, body }) =>
      await revokeApiKey(ctx, actor, { apiKey: params.apiKey, ...body }),
  );

  mount(app, ctx, contract.pauseApiKey).respond(
    async ({ actor, params }) => await setApiKeyPaused(ctx, actor, { ...params, isPaused: true }),
  );

  mount(app, ctx, contract.resumeApiKey).respond(
    async ({ actor, params }) => await setApiKeyPaused(ctx, actor, { ...params, isPaused: false }),
  );

  mount(app, ctx, notifyOwnersRoute).respond(
    async ({ actor, params }) => await notifyOwnersOfExpiry(ctx, actor, params),
  );

  mount(app, ctx, contract.endPreviousToken).respond(
    async ({ actor, params }) => await endPreviousToken(ctx, actor, params),
  );

  mount(app, ctx, contract.endToken).respond(
    async ({ actor, params }) => await endToken(ctx, actor, params),
  );

  mount(app, ctx, shownTokens.listTokensShownToOthers).respond(
    async ({ actor, params }) => await listTokensShownToOthers(ctx, actor, params),
  );

  mount(app, ctx, shownTokens.listTokensOfLeavers).respond(
    async ({ actor }) => await listTokensOfLeavers(ctx, actor),
  );

  mount(app, ctx, search.listApiKeysUsedFrom).respond(
    async ({ actor, query }) => await listApiKeysUsedFrom(ctx, actor, query),
  );

  mount(app, ctx, search.findTokenOfAccount).respond(
    async ({ actor, body }) => await findTokenOfAccount(ctx, actor, body),
  );

  mount(app, ctx, contract.getCallingApiKey).respond(
    async ({ actor }) => await getCallingApiKey(ctx, actor),
  );

  mount(app, ctx, contract.rotateCallingApiKey).respond(
    async ({ actor, idempotencyKey }) => await rotateCallingApiKey(ctx, actor, { idempotencyKey }),
  );
}

export function mountCallRoutes(app: Hono, ctx: Context): void {
  const routes = new Map(allRoutes.map((route) => [route.name, route]));
  const pathOf = (route: string) => routes.get(route)?.path ?? null;
  const scopeOf = (route: string) => {
    const access = routes.get(route)?.access;
    return typeof access === 'object' ? access.scope : null;
  };

  mount(app, ctx, tokenUse.listTokenUse).respond(
    async ({ actor, params: { apiKey } }) => await listTokenUse(ctx, actor, { apiKey, pathOf }),
  );

  mount(app, ctx, tokenUse.extendToken).respond(
    async ({ actor, params, body }) => await extendToken(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, tokenUse.listOldTokens).respond(
    async ({ actor }) => await listOldTokens(ctx, actor, { pathOf }),
  );

  mount(app, ctx, usage.getApiKeyUsage).respond(
    async ({ actor, params: { apiKey }, query: { window } }) =>
      await getApiKeyUsage(ctx, actor, { apiKey, window, pathOf, scopeOf }),
  );

  mount(app, ctx, usage.listCallsOfKeys).respond(
    async ({ actor }) => await listCallsOfKeys(ctx, actor),
  );

  mount(app, ctx, failedCalls.listFailedCalls).respond(
    async ({ actor, params: { apiKey } }) => await listFailedCalls(ctx, actor, { apiKey, pathOf }),
  );

  mount(app, ctx, failedCalls.findFailedCalls).respond(async ({ actor, query }) => {
    const found = { requestId: query.request_id, pathOf };
    return await findFailedCalls(ctx, actor, found);
  });
}

export function mountUnconfirmedTokenRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, unconfirmed.confirmToken).respond(
    async ({ actor, params, body }) => await confirmToken(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, unconfirmed.replaceUnconfirmedToken).respond(
    async ({ actor, params, body, idempotencyKey }) => {
      const input = { ...params, ...body, idempotencyKey };
      return await replaceUnconfirmedToken(ctx, actor, input);
    },
  );

  mount(app, ctx, unconfirmed.undoRotation).respond(
    async ({ actor, params, body }) => await undoRotation(ctx, actor, { ...params, ...body }),
  );
}
