import type { Hono } from 'hono';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import { confirmSecret as confirmSecretRoute } from '#lib/contract/webhooks/unconfirmed-secrets.ts';
import { getWebhookBacklog } from '#lib/contract/webhooks/webhook-backlog.ts';
import { confirmWebhookContact as confirmContactRoute } from '#lib/contract/webhooks/webhook-contact.ts';
import * as targets from '#lib/contract/webhooks/webhook-targets.ts';
import * as contract from '#lib/contract/webhooks/webhooks.ts';
import type { Context } from '../../../context.ts';
import { getBacklog, updateWithBacklog } from '../../../domain/replays/update-with-backlog.ts';
import { confirmWebhookContact } from '../../../domain/webhooks/contact.ts';
import { createWebhook } from '../../../domain/webhooks/create-webhook.ts';
import { deleteWebhookWithRequests } from '../../../domain/rotation-requests/outcomes/delete-webhook-with-requests.ts';
import {
  getWebhook,
  listWebhooks,
  listWebhooksWithState,
} from '../../../domain/webhooks/read-webhooks.ts';
import { confirmSecret } from '../../../domain/webhooks/secret/confirm-secret.ts';
import { endSecret, regenerateSecret } from '../../../domain/webhooks/secret/regenerate-secret.ts';
import { findTargetProblem } from '../../../domain/webhooks/target/accept-target.ts';
import { mount } from '../../mount.ts';

export function mountWebhookRoutes(app: Hono, ctx: Context): void {
  const rules = ({ url }: { url?: string | undefined }): ErrorDetails => {
    const problem = url === undefined ? undefined : findTargetProblem(ctx, url);
    return problem === undefined ? {} : { url: [problem] };
  };

  mount(app, ctx, contract.listWebhooks).handle(async ({ actor, query }) => ({
    status: 200,
    body: {
      success: true,
      data:
        query.include === 'state'
          ? await listWebhooksWithState(ctx, actor)
          : await listWebhooks(ctx, actor),
    },
  }));

  mount(app, ctx, confirmContactRoute).respond(
    async ({ body, origin }) =>
      await confirmWebhookContact(ctx, { token: body.contact_token, origin }),
  );

  mount(app, ctx, contract.createWebhook).respond(
    async ({ actor, body, idempotencyKey }) =>
      await createWebhook(ctx, actor, { ...body, idempotencyKey }),
    rules,
  );

  mount(app, ctx, contract.getWebhook).respond(
    async ({ actor, params }) => await getWebhook(ctx, actor, params),
  );

  mount(app, ctx, contract.updateWebhook).respond(
    async ({ actor, params, body }) =>
      await updateWithBacklog(ctx, actor, { webhook: params.webhook, ...body }),
    rules,
  );

  mount(app, ctx, getWebhookBacklog).respond(
    async ({ actor, params }) => await getBacklog(ctx, actor, params),
  );

  mount(app, ctx, contract.deleteWebhook).respond(
    async ({ actor, params }) => await deleteWebhookWithRequests(ctx, actor, params),
  );

  mount(app, ctx, contract.regenerateWebhookSecret).respond(
    async ({ actor, params, body, idempotencyKey }) =>
      await regenerateSecret(ctx, actor, {
        webhook: params.webhook,
        idempotencyKey,
        ...body,
      }),
  );

  mount(app, ctx, contract.endWebhookSecret).respond(
    async ({ actor, params }) => await endSecret(ctx, actor, params),
  );

  mount(app, ctx, confirmSecretRoute).respond(
    async ({ actor, params, body }) => await confirmSecret(ctx, actor, { ...params, ...body }),
  );
}

export function mountWebhookTargetRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, targets.getWebhookTargets).respond(async () => ({
    allows_private_addresses: ctx.config.webhookAllowedCidrs.length > 0,
  }));
}
