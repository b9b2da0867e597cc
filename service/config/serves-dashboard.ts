import type { Environment } from './environment.ts';
import { loadConfig } from './load-config.ts';
import type { Config } from './load-config.ts';

/**
 * Whether the service runs the role `web` in this environment, and so needs a build of the
 * dashboard. False if a setting is wrong: the service then says so and does not start, and nobody
 * should wait for a build first.
 */
export function servesDashboard(environment: Environment): boolean {
  let config: Config;
  try {
    config = loadConfig(environment);
  } catch {
    return false;
  }
  return config.roles.has('web');
}
