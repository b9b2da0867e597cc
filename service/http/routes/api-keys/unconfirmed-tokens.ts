import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/unconfirmed-tokens.ts';
import type { Context } from '../../../context.ts';
import { confirmToken } from '../../../domain/api-keys/unconfirmed/confirm-token.ts';
import { replaceUnconfirmedToken } from '../../../domain/api-keys/unconfirmed/replace-unconfirmed-token.ts';
import { undoRotation } from '../../../domain/api-keys/unconfirmed/undo-rotation.ts';
import { mount } from '../../mount.ts';

export function mountUnconfirmedTokenRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.confirmToken).handle(async ({ actor, params, body }) => {
    await confirmToken(ctx, actor, { ...params, ...body });
    return { status: 204 };
  });

  mount(app, ctx, contract.replaceUnconfirmedToken).handle(
    async ({ actor, params, body, idempotencyKey }) => {
      const input = { ...params, ...body, idempotencyKey };
      return {
        status: 201,
        body: { success: true, data: await replaceUnconfirmedToken(ctx, actor, input) },
      };
    },
  );

  mount(app, ctx, contract.undoRotation).handle(async ({ actor, params, body }) => {
    await undoRotation(ctx, actor, { ...params, ...body });
    return { status: 204 };
  });
}
