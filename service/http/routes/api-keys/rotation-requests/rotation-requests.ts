import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../../../context.ts';
import {
  declineRotationRequest,
  withdrawRotationRequest,
} from '../../../../domain/rotation-requests/outcomes/close-named-request.ts';
import {
  getRotationRequest,
  listRotationRequestHistory,
  listRotationRequests,
  listRotators,
} from '../../../../domain/rotation-requests/read-requests.ts';
import {
  requestRotation,
  requestWebhookAct,
} from '../../../../domain/rotation-requests/request-rotation.ts';
import { revokeLeakedKey } from '../../../../domain/rotation-requests/leaks/revoke-leaked-key.ts';
import { rotateOnRequest } from '../../../../domain/rotation-requests/rotate-on-request.ts';
import { mount } from '../../../mount.ts';

export function mountRotationRequestRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listRotationRequests).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await listRotationRequests(ctx, actor) },
  }));

  mount(app, ctx, contract.listRotationRequestHistory).handle(async ({ actor, query }) => {
    const { requests, nextCursor } = await listRotationRequestHistory(ctx, actor, query);
    return { status: 200, body: { success: true, data: requests, next_cursor: nextCursor } };
  });

  mount(app, ctx, contract.getRotationRequest).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getRotationRequest(ctx, actor, params) },
  }));

  mount(app, ctx, contract.declineRotationRequest).handle(async ({ actor, params, body }) => {
    await declineRotationRequest(ctx, actor, { ...params, ...body });
    return { status: 204 };
  });

  mount(app, ctx, contract.listRotators).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await listRotators(ctx, actor, params) },
  }));

  mount(app, ctx, contract.requestRotation).handle(async ({ actor, params, body }) => ({
    status: 201,
    body: {
      success: true,
      data: await requestRotation(ctx, actor, { apiKey: params.apiKey, ...body }),
    },
  }));

  mount(app, ctx, contract.requestWebhookAct).handle(async ({ actor, params, body }) => ({
    status: 201,
    body: { success: true, data: await requestWebhookAct(ctx, actor, { ...params, ...body }) },
  }));

  mount(app, ctx, contract.rotateOnRequest).handle(
    async ({ actor, params, body, idempotencyKey }) => {
      const input = { ...params, ...body, idempotencyKey };
      return {
        status: 201,
        body: { success: true, data: await rotateOnRequest(ctx, actor, input) },
      };
    },
  );

  mount(app, ctx, contract.revokeLeakedKey).handle(async ({ actor, params }) => {
    await revokeLeakedKey(ctx, actor, params);
    return { status: 204 };
  });

  mount(app, ctx, contract.withdrawRotationRequest).handle(async ({ actor, params }) => {
    await withdrawRotationRequest(ctx, actor, params);
    return { status: 204 };
  });
}
