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
  mount(app, ctx, contract.listRotationRequests).respond(
    async ({ actor }) => await listRotationRequests(ctx, actor),
  );

  mount(app, ctx, contract.listRotationRequestHistory).handle(async ({ actor, query }) => {
    const { requests, nextCursor } = await listRotationRequestHistory(ctx, actor, query);
    return { status: 200, body: { success: true, data: requests, next_cursor: nextCursor } };
  });

  mount(app, ctx, contract.getRotationRequest).respond(
    async ({ actor, params }) => await getRotationRequest(ctx, actor, params),
  );

  mount(app, ctx, contract.declineRotationRequest).respond(
    async ({ actor, params, body }) =>
      await declineRotationRequest(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, contract.listRotators).respond(
    async ({ actor, params }) => await listRotators(ctx, actor, params),
  );

  mount(app, ctx, contract.requestRotation).respond(
    async ({ actor, params, body }) =>
      await requestRotation(ctx, actor, { apiKey: params.apiKey, ...body }),
  );

  mount(app, ctx, contract.requestWebhookAct).respond(
    async ({ actor, params, body }) => await requestWebhookAct(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, contract.rotateOnRequest).respond(
    async ({ actor, params, body, idempotencyKey }) => {
      const input = { ...params, ...body, idempotencyKey };
      return await rotateOnRequest(ctx, actor, input);
    },
  );

  mount(app, ctx, contract.revokeLeakedKey).respond(
    async ({ actor, params }) => await revokeLeakedKey(ctx, actor, params),
  );

  mount(app, ctx, contract.withdrawRotationRequest).respond(
    async ({ actor, params }) => await withdrawRotationRequest(ctx, actor, params),
  );
}
