import { randomBytes } from 'node:crypto';
import { startApiProxy } from './api-proxy.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { Control } from '../control/control.ts';
import { newToken, startServer } from './server.ts';
import type { Environment, Server } from './server.ts';

/** The service of a Playwright worker. All its tests share it, each with an account of its own. */
export type WorkerServer = {
  server: Server;
  readonly control: Control;
  /** The proxy between the dashboard and the API. */
  apiProxy: ApiProxy;
  /** The credential of the dashboard. */
  credential: string;
  /** The password of all people, so that one hash is enough. */
  password: string;
};

/** Lets webhooks reach a receiver on this machine. */
const deliversHere = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
};

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
  const server = await startServer(
    {
      ...deliversHere,
      API_BASE_URL: apiProxy.origin,
      DASHBOARD_CREDENTIAL: credential,
      ...environment,
    },
    { isFirstStart, isControlled: true },
  );
  apiOrigin = server.origin;
  const password = `Ada's ${randomBytes(9).toString('hex')}`;
  return {
    server,
    apiProxy,
    credential,
    password,
    get control() {
      if (server.control === null) throw new Error('the service takes no commands');
      return server.control;
    },
  };
}
