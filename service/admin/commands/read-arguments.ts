import { email as emailField } from '#lib/contract/people/credentials.ts';
import { roles } from '#lib/contract/rights/roles.ts';
import type { Role } from '#lib/contract/rights/roles.ts';

/** The value of a command's argument, or the reason why it is not valid. */
type ReadArgument<Name extends string, Value> = Record<Name, Value> | { reason: string };

export function readEmail(text: string | undefined): ReadArgument<'email', string> {
  const email = emailField.safeParse(text);
  return email.success ? { email: email.data } : { reason: `"${text}" is not an email address.` };
}

export function readRole(text: string | undefined): ReadArgument<'role', Role> {
  const role = roles.find((known) => known === text);
  return role ? { role } : { reason: `Unknown role "${text}". Use one of: ${roles.join(', ')}.` };
}

/** The name or id of an account, normalized as stored names are. */
export function readAccount(text = ''): string {
  return text.normalize('NFC').trim();
}
