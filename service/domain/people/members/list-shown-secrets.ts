import type { ShownSecrets } from '#lib/contract/people/members.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { listTokensShownTo } from '../../api-keys/tokens/find-token.ts';
import { notFound } from '../../errors.ts';
import { listSecretsShownTo } from '../../webhooks/read-webhooks.ts';
import { findMemberRow } from '../store/members.ts';

/**
 * The tokens and signing secrets of the account that were shown to a member and still work.
 *
 * @throws ServiceError NOT_FOUND if they are not a member
 */
export async function listShownSecrets(
  ctx: Context,
  { accountId }: PersonActor,
  { member: personId }: { member: string },
): Promise<ShownSecrets> {
  if (!(await findMemberRow(ctx.db, accountId, personId))) throw notFound();
  return {
    tokens: await listTokensShownTo(ctx, accountId, personId),
    signing_secrets: await listSecretsShownTo(ctx, accountId, personId),
  };
}
