import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { SupportAccess } from '#lib/contract/api-keys/ceiling.ts';
import type { setSupportAccessInput } from '#lib/contract/support-access.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { confirmMember } from './confirm-member.ts';
import { lockSupportAccess, writeSupportAccess } from '../store/members.ts';

/**
 * Sets what support may be shown in the account; it counts from the next call on. The audit log says
 * what it was before. Set again to the same, it changes nothing and is not audited.
 *
 * @throws ServiceError FORBIDDEN to anybody but an owner
 */
export async function setSupportAccess(
  ctx: Context,
  actor: PersonActor,
  input: z.output<typeof setSupportAccessInput>,
): Promise<SupportAccess> {
  return await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'support-access.set');
    const { before, accountName } = await lockSupportAccess(tx, actor.accountId);
    const after = {
      tokens: input.tokens ?? before.tokens,
      payloads: input.payloads ?? before.payloads,
    };
    if (isDeepStrictEqual(before, after)) return after;
    await writeSupportAccess(tx, actor.accountId, after);
    await recordAudit(tx, {
      actor,
      action: 'account.support_access_changed',
      at: ctx.clock.now(),
      target: { kind: 'account', id: actor.accountId, name: accountName },
      changes: { before, after },
    });
    return after;
  });
}
