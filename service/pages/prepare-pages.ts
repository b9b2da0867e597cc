import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/load-config.ts';
import { StartError } from '../start-error.ts';
import { limitRenders } from './limit-renders.ts';
import { isForAsset, serveAssets } from './static-assets.ts';

export type Pages = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The dashboard, as Next serves it: built in production, compiled on request in development. */
export async function preparePages(options: {
  config: Pick<Config, 'publicUrl' | 'apiBaseUrl' | 'port'>;
  /** What the dashboard's server side shows to the API. */
  credential: string;
  isDevelopment: boolean;
  httpServer: Server;
  /** Answers a request that has too many before it. */
  refuseBusy: (request: IncomingMessage, response: ServerResponse) => void;
}): Promise<Pages> {
  const { config, credential, isDevelopment, httpServer, refuseBusy } = options;
  if (!isDevelopment && !existsSync(join(root, '.next', 'BUILD_ID'))) {
    throw new StartError('The dashboard is not built. Build it: npm run build');
  }
  // The dashboard reads its few settings from the environment, as it does where it runs apart.
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    PUBLIC_URL: config.publicUrl.origin,
    API_BASE_URL: config.apiBaseUrl.origin,
    DASHBOARD_CREDENTIAL: credential,
  });

  // Loaded late: a process without the web role has no use for it, and it reads NODE_ENV on load.
  const { default: next } = await import('next');
  const server = next({
    dev: isDevelopment,
    dir: root,
    hostname: config.publicUrl.hostname,
    port: config.port,
    // Next attaches itself to the server it is given, or else to that of its first request. Built
    // pages do not need that, so they get a server that does not listen.
    httpServer: isDevelopment ? httpServer : createServer(),
  });
  await server.prepare();
  const render = limitRenders(server.getRequestHandler(), refuseBusy);
  const sendAsset = isDevelopment ? null : serveAssets(join(root, '.next/static'));
  return {
    handle: (request, response) =>
      sendAsset && isForAsset(request) ? sendAsset(request, response) : render(request, response),
    close: () => server.close(),
  };
}
