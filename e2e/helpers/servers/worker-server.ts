import { createInstallation, newToken } from 'conversation-service-playwright-kit';
import type { Environment, OwnInstallation } from 'conversation-service-playwright-kit';
import { startApiProxy } from './api-proxy.ts';
import type { ApiProxy } from './api-proxy.ts';
import { product } from './server.ts';

/** The service of a Playwright worker. All its tests share it, each with an account of its own. */
export type WorkerServer = OwnInstallation & {
  /** The proxy between the dashboard and the API. */
  apiProxy: ApiProxy;
  /** The credential of the dashboard. */
  credential: string;
};

/** Tests of limits use those of the product. */
const usualLimits = { RATE_LIMIT_PER_MINUTE: '600', RATE_LIMIT_CREATIONS_PER_HOUR: '60' };

/** Starts a service whose dashboard reaches the API through a proxy of the suite. */
export async function startWorkerServer({
  isFirstStart = false,
  environment = {},
}: {
  isFirstStart?: boolean;
  environment?: Environment;
}): Promise<WorkerServer> {
  const credential = newToken();
  let apiOrigin = '';
  const apiProxy = await startApiProxy(() => apiOrigin);
  const installation = await createInstallation({
    product,
    isFirstStart,
    environment: {
      ...usualLimits,
      API_BASE_URL: apiProxy.origin,
      DASHBOARD_CREDENTIAL: credential,
      ...environment,
    },
  });
  apiOrigin = installation.origin;
  return Object.assign(installation, { apiProxy, credential });
}
