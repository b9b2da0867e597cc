import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/api-keys.ts';
import { listTokensShownToOthers as shownToOthersRoute } from '#lib/contract/api-keys/shown-tokens.ts';
import { findTokenOfAccount as findTokenRoute } from '#lib/contract/api-keys/token-search.ts';
import type { Context } from '../../../context.ts';
import { createApiKey, findCreationProblems } from '../../../domain/api-keys/create-api-key.ts';
import { endPreviousToken } from '../../../domain/api-keys/tokens/end-previous-token.ts';
import { endToken } from '../../../domain/api-keys/tokens/end-token.ts';
import { getApiKey } from '../../../domain/api-keys/reading/get-api-key.ts';
import { getCallingApiKey } from '../../../domain/api-keys/reading/get-calling-api-key.ts';
import { listApiKeys } from '../../../domain/api-keys/reading/list-api-keys.ts';
import { listEndedApiKeys } from '../../../domain/api-keys/reading/list-ended-api-keys.ts';
import { previewRotation } from '../../../domain/api-keys/rotation/preview-rotation.ts';
import { revokeApiKey } from '../../../domain/api-keys/revocation/revoke-api-key.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { rotateCallingApiKey } from '../../../domain/api-keys/rotation/rotate-calling-api-key.ts';
import { findChangeProblems, updateApiKey } from '../../../domain/api-keys/update-api-key.ts';
import { findTokenOfAccount } from '../../../domain/api-keys/tokens/find-token-of-account.ts';
import { listTokensShownToOthers } from '../../../domain/api-keys/tokens/list-tokens-shown-to.ts';
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

  mount(app, ctx, contract.createApiKey).handle(
    async ({ actor, body, idempotencyKey }) => {
      const input = { ...body, idempotencyKey };
      const { apiKey, token, message } = await createApiKey(ctx, actor, input);
      return { status: 201, body: { success: true, data: { ...apiKey, token, message } } };
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

  mount(app, ctx, contract.getApiKey).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getApiKey(ctx, actor, params) },
  }));

  mount(app, ctx, contract.updateApiKey).handle(
    async ({ actor, params, body }) => ({
      status: 200,
      body: {
        success: true,
        data: await updateApiKey(ctx, actor, { apiKey: params.apiKey, ...body }),
      },
    }),
    async (fields, { accountId, params: { apiKey } }) =>
      accountId === null ? {} : await findChangeProblems(ctx, { accountId, apiKey, fields }),
  );

  mount(app, ctx, contract.revokeApiKey).handle(async ({ actor, params, body }) => {
    await revokeApiKey(ctx, actor, { apiKey: params.apiKey, ...body });
    return { status: 204 };
  });

  mount(app, ctx, contract.endPreviousToken).handle(async ({ actor, params }) => {
    await endPreviousToken(ctx, actor, params);
    return { status: 204 };
  });

  mount(app, ctx, contract.endToken).handle(async ({ actor, params }) => {
    await endToken(ctx, actor, params);
    return { status: 204 };
  });

  mount(app, ctx, shownToOthersRoute).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await listTokensShownToOthers(ctx, actor, params) },
  }));

  mount(app, ctx, findTokenRoute).handle(async ({ actor, body }) => ({
    status: 200,
    body: { success: true, data: await findTokenOfAccount(ctx, actor, body) },
  }));

  mount(app, ctx, contract.getCallingApiKey).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getCallingApiKey(ctx, actor) },
  }));

  mount(app, ctx, contract.rotateCallingApiKey).handle(async ({ actor, idempotencyKey }) => ({
    status: 201,
    body: { success: true, data: await rotateCallingApiKey(ctx, actor, { idempotencyKey }) },
  }));
}
