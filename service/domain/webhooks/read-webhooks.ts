import type { KeyObject } from 'node:crypto';
import type { Webhook, WebhookItem } from '#lib/contract/webhooks/webhook.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { shownUrl } from '../shown-url.ts';
import { endsOf } from './rules.ts';
import { importSecret, lastFourOf, openSecret, openSecretIfPossible } from './secret/secret.ts';
import {
  listSealedSecretsOfAccount,
  listSecretPeriods,
  secretPeriodsOf,
  type SecretPeriod,
  type WebhookWithSecrets,
} from './store/secrets.ts';
import { findWebhookRow, listWebhookRows, type WebhookRow } from './store/webhooks.ts';

/** Every webhook of the actor's account, newest first, as list items (specification 4.1). */
export async function listWebhooks(ctx: Context, actor: Actor): Promise<WebhookItem[]> {
  const rows = await listWebhookRows(ctx.db, actor.accountId);
  return rows.map((row) => describeWebhookItem(row, actor));
}

/** The same with the state of each. */
export async function listWebhooksWithState(ctx: Context, actor: Actor): Promise<Webhook[]> {
  const rows = await listWebhookRows(ctx.db, actor.accountId);
  const periods = await listSecretPeriods(ctx.db, actor.accountId, ctx.clock.now());
  const periodsOf = Map.groupBy(periods, (period) => period.webhookId);
  return rows.flatMap((webhook) => {
    const secrets = periodsOf.get(webhook.id);
    // Otherwise it was deleted between the two reads.
    return secrets ? describeWebhook(ctx, { webhook, secrets }, actor) : [];
  });
}

/** One webhook of the actor's account. @throws ServiceError NOT_FOUND */
export async function getWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<Webhook> {
  const webhook = await findWebhook(ctx, actor, input);
  const secrets = await secretPeriodsOf(ctx.db, webhook, ctx.clock.now());
  return describeWebhook(ctx, { webhook, secrets }, actor);
}

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

/**
 * Every stored secret of the actor's account that can be decrypted, in clear, with its webhook.
 * Never returned to a caller.
 */
export async function readSecrets(
  ctx: Pick<Context, 'db' | 'cipher'>,
  { accountId }: Actor,
): Promise<
  (Pick<SecretPeriod, 'createdAt' | 'validUntil'> & { webhook: WebhookRow; text: string })[]
> {
  const rows = await listWebhookRows(ctx.db, accountId);
  const webhooks = new Map(rows.map((webhook) => [webhook.id, webhook]));
  const secrets = await listSealedSecretsOfAccount(ctx.db, accountId);
  return secrets.flatMap((secret) => {
    const { createdAt, validUntil } = secret;
    const webhook = webhooks.get(secret.webhookId);
    const text = openSecretIfPossible(ctx, secret);
    return webhook && text !== null ? { webhook, createdAt, validUntil, text } : [];
  });
}

/** The keys with which a webhook signs now, newest first. */
export async function readSigningKeys(
  ctx: Pick<Context, 'db' | 'cipher' | 'clock'>,
  webhook: WebhookRow,
): Promise<KeyObject[]> {
  const secrets = await secretPeriodsOf(ctx.db, webhook, ctx.clock.now());
  return secrets.map((secret) => importSecret(openSecret(ctx, secret)));
}

/** A webhook as the list shows it to an actor: the nine documented fields. */
function describeWebhookItem(webhook: WebhookRow, actor: Actor): WebhookItem {
  return {
    id: webhook.id,
    uuid: webhook.uuid,
    name: webhook.name,
    url: shownUrl(actor, webhook.url),
    events: webhook.events,
    is_active: webhook.isActive,
    failure_count: webhook.failureCount,
    last_triggered_at: webhook.lastTriggeredAt && formatApiTime(webhook.lastTriggeredAt),
    created_at: formatApiTime(webhook.createdAt),
  };
}

/**
 * A webhook with the details of its state. Of its secrets it shows who has them, until when they
 * sign, and their last four characters.
 *
 * @throws ServiceError NOT_FOUND if it was deleted after it was read, and its secrets with it
 */
export function describeWebhook(
  ctx: Pick<Context, 'cipher'>,
  { webhook, secrets }: WebhookWithSecrets,
  actor: Actor,
): Webhook {
  const [newest, ...older] = secrets;
  if (!newest) throw notFound();
  const { previous } = endsOf(older.flatMap(({ validUntil }) => validUntil ?? []));
  return {
    ...describeWebhookItem(webhook, actor),
    status: statusOfWebhook(webhook),
    inactive_since: webhook.inactiveSince && formatApiTime(webhook.inactiveSince),
    inactive_reason: webhook.inactiveReason,
    failing_since: webhook.failingSince && formatApiTime(webhook.failingSince),
    all_events: webhook.allEvents,
    filter: webhook.filter,
    header_names: webhook.headerNames,
    max_deliveries_per_second: webhook.maxPerSecond,
    contact:
      webhook.contactEmail === null
        ? null
        : { email: webhook.contactEmail, is_confirmed: webhook.contactConfirmedAt !== null },
    secret: {
      last_four: lastFourOf(ctx, newest),
      created_at: formatApiTime(newest.createdAt),
      was_shown: newest.shownTo !== null,
      unconfirmed: describeUnconfirmed(newest),
      previous_valid_until: previous && formatApiTime(previous),
      older: older.flatMap(({ validUntil, ...secret }) =>
        validUntil === null
          ? []
          : {
              uuid: secret.uuid,
              last_four: lastFourOf(ctx, secret),
              created_at: formatApiTime(secret.createdAt),
              valid_until: formatApiTime(validUntil),
            },
      ),
    },
    created_by: webhook.createdBy,
    updated_at: formatApiTime(webhook.updatedAt),
  };
}

function describeUnconfirmed({
  unconfirmedSince,
  shownTo,
}: SecretPeriod): Webhook['secret']['unconfirmed'] {
  if (!unconfirmedSince || !shownTo) return null;
  return { since: formatApiTime(unconfirmedSince), shown_to: shownTo };
}

/** The status of a webhook, which is more detailed than `is_active`. */
export function statusOfWebhook(
  webhook: Pick<WebhookRow, 'isActive' | 'inactiveReason'>,
): Webhook['status'] {
  if (webhook.isActive) return 'active';
  if (webhook.inactiveReason === 'setup') return 'pending_setup';
  return webhook.inactiveReason === 'paused' ? 'paused' : 'deactivated';
}
