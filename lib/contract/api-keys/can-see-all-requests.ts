import type { Role } from '../rights/roles.ts';

/** Whether members with this role are shown every request of others, and not only reports of a leak. */
export function canSeeAllRequests(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}
