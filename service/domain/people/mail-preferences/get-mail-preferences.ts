import type { MailPreferences } from '#lib/contract/people/mail-preferences.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { findPersonById } from '../store/people.ts';
import { describeMailPreferences } from './describe-mail-preferences.ts';

/**
 * Which of the emails that can be turned off the actor gets.
 *
 * @throws ServiceError UNAUTHORIZED if the person is gone
 */
export async function getMailPreferences(
  ctx: Context,
  { personId }: PersonActor,
): Promise<MailPreferences> {
  const person = await findPersonById(ctx.db, personId);
  if (!person) throw new ServiceError('UNAUTHORIZED');
  return describeMailPreferences(person.turnedOffMails);
}
