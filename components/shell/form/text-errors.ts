import { emailPattern, withAsciiDomain } from '#lib/contract/people/email-pattern.ts';

// The service checks these rules again. A form checks them too, because it would otherwise show
// these errors only once no field is empty.

const maxEmailLength = 254;
const maxNameLength = 100;

/** What is wrong with an email address; null if nothing is. @param missing the error if it is empty */
export function emailError(typed: string, missing: string): string | null {
  const email = withAsciiDomain(typed.trim());
  if (email === '') return missing;
  if (email.length > maxEmailLength) return tooLong(maxEmailLength);
  return emailPattern.test(email) ? null : 'This is not an email address.';
}

/** What is wrong with a name; null if nothing is. @param missing the error if it is empty */
export function nameError(typed: string, missing: string): string | null {
  const name = typed.normalize('NFC').trim();
  if (name === '') return missing;
  // The service counts code points.
  return [...name].length > maxNameLength ? tooLong(maxNameLength) : null;
}

function tooLong(max: number): string {
  return `Use at most ${max} characters.`;
}
