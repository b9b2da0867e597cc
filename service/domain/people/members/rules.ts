import type { Role } from '#lib/contract/rights/roles.ts';
import { forbidden, invalid } from '../../errors.ts';

/**
 * Refuses a change that makes someone an owner, or changes or removes an owner, unless the actor
 * is an owner.
 *
 * @param roles the member's present role, and the role they would have
 * @throws ServiceError FORBIDDEN
 */
export function refuseUnlessOwner(actor: { role: Role }, roles: readonly Role[]): void {
  if (actor.role === 'owner' || !roles.includes('owner')) return;
  throw forbidden(
    'role',
    'Only an owner can make someone an owner, or change or remove one. Ask an owner of the account.',
  );
}

/**
 * Refuses a change that would leave an account without an owner.
 *
 * @param owners the ids of its owners
 * @throws ServiceError VALIDATION_ERROR
 */
export function refuseLastOwner(
  owners: readonly string[],
  { personId, field, message }: { personId: string; field: string; message: string },
): void {
  if (owners.length === 1 && owners[0] === personId) throw invalid(field, message);
}

/** The default name of a person: the part of their email address before the host. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, 100);
}
