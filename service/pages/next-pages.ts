import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whileRendering } from '../boot/end-on-uncaught-errors.ts';
import { StartError } from '../start-error.ts';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Responds to requests for pages until it is closed. */
export type Pages = { respond: PageHandler; close(): Promise<void> };

/** What the server side of the dashboard needs to know. */
export type DashboardSettings = {
  /** The origin at which people reach the dashboard. */
  publicUrl: string;
  /** The origin of the API. */
  apiBaseUrl: string;
  /** The credential with which the server side of the dashboard calls the API. */
  credential: string;
  /** The key with which Next encrypts what it sends with a server action, in base64. */
  actionsKey: string;
  /** The origin of the service's listener on this machine. Next forwards some actions to it. */
  ownOrigin: string;
};

/** In development Next adds more listeners to a response than Node's warning allows. */
const maxDevelopmentListeners = 20;

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** @throws StartError if there is no build of the dashboard */
export function requireBuild(): void {
  if (!existsSync(join(projectRoot, '.next', 'BUILD_ID'))) {
    throw new StartError('The dashboard is not built. Build it: npm run build');
  }
}

/** The dashboard, rendered by Next: built in production, compiled on request in development. */
export async function prepareNextPages(options: {
  settings: DashboardSettings;
  isDevelopment: boolean;
  /** The server to which Next attaches its reload socket. Only in development. */
  httpServer?: Server;
}): Promise<Pages> {
  const { settings, isDevelopment } = options;
  // The dashboard reads its few settings from the environment, also when it runs separately.
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PUBLIC_URL: settings.publicUrl,
    DOCS_FOLDER: join(projectRoot, 'docs'),
    API_BASE_URL: settings.apiBaseUrl,
    DASHBOARD_CREDENTIAL: settings.credential,
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: settings.actionsKey,
    // Next forwards an action to another page if the requested one does not contain it. By default it
    // would combine the scheme and host of PUBLIC_URL with the local port, where nobody may listen.
    __NEXT_PRIVATE_ORIGIN: settings.ownOrigin,
  });

  // Loaded late: a process without the web role does not need it, and it reads NODE_ENV when it
  // loads.
  const { default: next } = await import('next');
  const server = next({
    dev: isDevelopment,
    dir: projectRoot,
    hostname: new URL(settings.publicUrl).hostname,
    port: Number(new URL(settings.ownOrigin).port),
    // Next attaches itself to the given server, or else to that of its first request. Built pages
    // do not need this, so they get a server that does not listen.
    httpServer: options.httpServer ?? createServer(),
  });
  await server.prepare();
  const render = server.getRequestHandler();
  return {
    respond(request, response) {
      if (isDevelopment) response.setMaxListeners(maxDevelopmentListeners);
      return whileRendering(() => render(request, response));
    },
    close: () => server.close(),
  };
}
