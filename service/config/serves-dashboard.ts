import { readVariable } from './environment.ts';
import type { Environment } from './environment.ts';
import { settings } from './settings.ts';

/**
 * Whether the service runs the role `web` in this environment, and so needs a build of the
 * dashboard. False if ROLES is wrong: the service then says so and does not start.
 */
export function servesDashboard(environment: Environment): boolean {
  const found = readVariable(environment, 'ROLES');
  if ('reason' in found) return false;
  return settings.shape.ROLES.safeParse(found.text).data?.has('web') ?? false;
}
