import type { EmailChange } from '#lib/contract/people/email-changes.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { describeEmailChange } from './describe-email-change.ts';

/** The actor's pending change of email, and a recent change that can still be undone. */
export async function getEmailChange(ctx: Context, actor: PersonActor): Promise<EmailChange> {
  return await describeEmailChange(ctx.db, { personId: actor.personId, now: ctx.clock.now() });
}
