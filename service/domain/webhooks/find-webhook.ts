import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { findWebhookRow } from './store/webhooks.ts';
import type { WebhookRow } from './store/webhooks.ts';

/** A webhook of the actor's account. @throws ServiceError NOT_FOUND */
export async function findWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<WebhookRow> {
  const reference = parseResourceReference(input.webhook);
  const row = reference && (await findWebhookRow(ctx.db, actor.accountId, reference));
  if (!row) throw notFound();
  return row;
}
