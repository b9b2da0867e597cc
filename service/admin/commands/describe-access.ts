import { countOf } from '#lib/count.ts';
import type { Access } from '../../domain/people/members/ensure-person.ts';

/** A sentence followed by a password, which is printed on a separate line. */
export function withPassword(sentence: string, password: string): string {
  return `${sentence} this password, which is shown only now:\n\n  ${password}\n`;
}

/** A sentence about what was done, followed by how the person signs in from now on. */
export function withAccess(what: string, access: Access): string {
  switch (access.kind) {
    case 'kept':
      return `${what} They sign in with the password they have.`;
    case 'new':
      return withPassword(`${what} They sign in with`, access.password);
    case 'replaced':
      return withPassword(
        `${what} Nobody had verified that this email address is theirs, so someone else may have been signed in with it: their password was replaced, all their sessions ended, and their second factors removed. By giving them the new password, you confirm that the address is theirs. They sign in with`,
        access.password,
      );
  }
}

export function countSessions(count: number): string {
  return countOf(count, 'session');
}
