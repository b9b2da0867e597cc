import type { Server } from 'node:http';
import type { Config } from '../config/load-config.ts';
import { refuseBusyPage } from '../http/listener/pages/refuse-busy-page.ts';
import type { Logger } from '../log/log.ts';
import type { Pages } from '../pages/next-pages.ts';
import { preparePages } from '../pages/prepare-pages.ts';
import { deriveKey } from '../secrets/secret-key.ts';
import { StartError } from '../start-error.ts';
import { isDevelopment } from './is-development.ts';

/**
 * Starts rendering the pages, in this process or in one of their own.
 *
 * @param httpServer the server to which Next attaches its reload socket; only in development
 * @throws StartError if DASHBOARD_CREDENTIAL is missing, or the dashboard is not built
 */
export async function openPages(config: Config, log: Logger, httpServer?: Server): Promise<Pages> {
  const { publicUrl, ownUrl, apiBaseUrl, dashboardCredential } = config;
  if (dashboardCredential === null) throw new StartError('Set DASHBOARD_CREDENTIAL.');
  return await preparePages({
    settings: {
      publicUrl: publicUrl.origin,
      apiBaseUrl: apiBaseUrl.origin,
      credential: dashboardCredential,
      actionsKey: actionsKeyOf({ ...config, dashboardCredential }),
      ownOrigin: ownUrl.origin,
    },
    hasOwnProcess: hasDashboardProcess(config),
    isDevelopment,
    ...(httpServer && { httpServer }),
    refuseBusy: refuseBusyPage,
    log,
  });
}

/**
 * The same in every process that serves the dashboard of an installation. Where the dashboard runs
 * apart, its processes need not know SECRET_KEY.
 */
function actionsKeyOf(config: {
  roles: Config['roles'];
  secretKey: Buffer | null;
  dashboardCredential: string;
}): string {
  const { roles, secretKey, dashboardCredential } = config;
  const shared = roles.has('api') ? secretKey : null;
  return deriveKey(shared ?? Buffer.from(dashboardCredential), 'actions').toString('base64');
}

/**
 * Whether pages are rendered in a process of their own, so that API calls and deliveries need not
 * wait for them. In development Next attaches itself to the listener.
 */
export function hasDashboardProcess({ roles }: Config): boolean {
  return !isDevelopment && roles.has('web') && roles.size > 1;
}
