import type { z } from 'zod';
import { requestWebhookAct as contract } from '#lib/contract/api-keys/rotation-requests.ts';
import type {
  RotationRequest,
  requestWebhookActInput,
} from '#lib/contract/api-keys/rotation-requests.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { invalid } from '../errors.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { confirmMember } from '../people/members/confirm-member.ts';
import { listMembers } from '../people/members/list-members.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { lockExistingWebhook } from '../webhooks/lock-existing-webhook.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { makeRequest } from './make-request.ts';
import { actsOnWebhooks } from './rules.ts';
import { webhookTarget } from './store/requests.ts';

/**
 * Asks an owner or an admin to regenerate the signing secret of a webhook or to resume it, within
 * 72 hours, by the rules of `requestRotation`. Nothing happens to the webhook until they do, also
 * if the secret may have leaked.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.member` if the member
 *   may not do it or is the caller, with `details.webhook` if there is nothing to resume or an
 *   open request prevents it
 */
export async function requestWebhookAct(
  ctx: Context,
  actor: PersonActor,
  input: { webhook: string } & z.output<typeof requestWebhookActInput>,
): Promise<RotationRequest> {
  const { id } = await findWebhook(ctx, actor, input);
  const { act, member, note } = input;
  const { record, notices } = await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, contract.access.act);
    const webhook = await lockExistingWebhook(tx, actor.accountId, id);
    // After the locks: a report of a leak is about every secret that exists by then.
    const now = ctx.clock.now();
    if (act === 'resume' && webhook.isActive) throw invalid('webhook', 'This webhook is active.');
    if (member === actor.personId) throw invalid('member', 'Choose somebody else.');
    const named = (await listMembers(tx, actor.accountId)).find((each) => each.id === member);
    if (!named || !mayAct(named.role, actsOnWebhooks[act])) {
      throw invalid('member', 'Choose an owner or an admin.');
    }
    const asked = { act, member, note, reason: input.reason ?? 'recovered' } as const;
    return await makeRequest(tx, ctx, { actor, target: webhookTarget(webhook), asked, now });
  });
  sendNotices(ctx, notices);
  return describeRotationRequest(record, ctx.clock.now());
}
