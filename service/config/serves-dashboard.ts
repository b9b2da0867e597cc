import type { Environment } from './environment.ts';
import { loadConfig } from './load-config.ts';
import type { Config } from './load-config.ts';

/** Whether the service runs the role `web` here. False if a setting is wrong: it does not start. */
export function servesDashboard(environment: Environment): boolean {
  let config: Config;
  try {
    config = loadConfig(environment);
  } catch {
    return false;
  }
  return config.roles.has('web');
}
