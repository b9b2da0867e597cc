import type { ShownSecrets } from '#lib/contract/people/members.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { listTokensKnownTo } from '../../api-keys/tokens/known-tokens.ts';
import { notFound } from '../../errors.ts';
import { findMemberNames } from '../../people/members/read-members.ts';
import { listSecretPeriods } from '../store/secrets.ts';
import { listWebhookRows } from '../store/webhooks.ts';

/**
 * The tokens of the account that a member knows, and the signing secrets that were shown to them, as
 * far as they still work.
 *
 * @throws ServiceError NOT_FOUND if they are not a member
 */
export async function listShownSecrets(
  ctx: Context,
  { accountId }: PersonActor,
  { member: personId }: { member: string },
): Promise<ShownSecrets> {
  const members = await findMemberNames(ctx.db, accountId, [personId]);
  if (!members.has(personId)) throw notFound();
  return {
    tokens: await listTokensKnownTo(ctx, accountId, personId),
    signing_secrets: await listSecretsShownTo(ctx, accountId, personId),
  };
}

/** The secrets of an account that still sign and that were shown to a person, newest first. */
async function listSecretsShownTo(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  personId: string,
): Promise<ShownSecrets['signing_secrets']> {
  const rows = await listWebhookRows(ctx.db, accountId);
  const webhooks = new Map(rows.map((webhook) => [webhook.id, webhook]));
  const secrets = await listSecretPeriods(ctx.db, accountId, ctx.clock.now());
  return secrets.flatMap((secret) => {
    const webhook = webhooks.get(secret.webhookId);
    const { shownTo } = secret;
    if (!webhook || shownTo?.kind !== 'person' || shownTo.id !== personId) return [];
    return {
      webhook: { id: webhook.id, uuid: webhook.uuid, name: webhook.name },
      created_at: formatApiTime(secret.createdAt),
      valid_until: secret.validUntil && formatApiTime(secret.validUntil),
    };
  });
}
