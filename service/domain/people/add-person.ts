import type { Tx } from '../../db/open.ts';
import { invalid } from '../errors.ts';
import { isEmailTaken, lockEmail } from './store/email-changes.ts';
import { insertPerson } from './store/people.ts';

/**
 * Adds a person with an email that nobody has. A previous email of someone counts as theirs while
 * they can undo the change.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.email`
 */
export async function addPerson(tx: Tx, person: Parameters<typeof insertPerson>[1]): Promise<void> {
  const { email, now } = person;
  await lockEmail(tx, email);
  if (await isEmailTaken(tx, { email, now })) {
    throw invalid(
      'email',
      `${email} belongs to another person, or did until recently. Use another address, or try again in a week.`,
    );
  }
  await insertPerson(tx, person);
}
