import type { EmailChange } from '#lib/contract/people/email-changes.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { describeEmailChange } from './describe-email-change.ts';

/** Whether the actor's email is about to change, or was changed recently. */
export async function getEmailChange(ctx: Context, actor: PersonActor): Promise<EmailChange> {
  return await describeEmailChange(ctx.db, { personId: actor.personId, now: ctx.clock.now() });
}
