import type { Role } from '#lib/contract/roles.ts';
import { forbidden, invalid } from '../../errors.ts';

/**
 * Refuses to anybody but an owner what makes somebody an owner, or changes or removes one.
 *
 * @param roles the roles that the member has now and would have
 * @throws ServiceError FORBIDDEN
 */
export function refuseUnlessOwner(actor: { role: Role }, roles: readonly Role[]): void {
  if (actor.role === 'owner' || !roles.includes('owner')) return;
  throw forbidden(
    'Only an owner can make somebody an owner, or change or remove one. Ask an owner of the account.',
  );
}

/**
 * Refuses what would leave an account without an owner.
 *
 * @param owners the ids of the people who own it
 * @throws ServiceError VALIDATION_ERROR
 */
export function refuseLastOwner(
  owners: readonly string[],
  { personId, field, message }: { personId: string; field: string; message: string },
): void {
  if (owners.length === 1 && owners[0] === personId) throw invalid(field, message);
}
