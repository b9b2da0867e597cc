import type { Role } from '../rights/roles.ts';

/** Whether members with this role are shown the rotation requests of others, too. */
export function seesEveryRequest(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
