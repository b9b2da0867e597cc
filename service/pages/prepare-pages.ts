import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from '../log/log.ts';
import { limitRenders } from './limit-renders.ts';
import { prepareNextPages, projectRoot, requireBuild } from './next-pages.ts';
import type { DashboardSettings, Pages } from './next-pages.ts';
import { keepDashboardRunning } from './process/keep-dashboard-running.ts';
import { isForAsset, serveAssets } from './static-assets.ts';

/**
 * Prepares the dashboard. This process serves its scripts; its pages are rendered here or in a
 * separate process.
 *
 * @throws StartError if the dashboard is not built
 */
export async function preparePages(options: {
  settings: DashboardSettings;
  /** Whether a separate process renders, because this one does other work. */
  hasOwnProcess: boolean;
  isDevelopment: boolean;
  /** The server to which Next attaches its reload socket. Only in development. */
  httpServer?: Server;
  /** Responds if too many requests wait already, or if the page cannot be rendered now. */
  refuseBusy: (request: IncomingMessage, response: ServerResponse) => void;
  log: Logger;
}): Promise<Pages> {
  const { settings, hasOwnProcess, isDevelopment, httpServer, refuseBusy, log } = options;
  if (!isDevelopment) requireBuild();
  const pages = hasOwnProcess
    ? await keepDashboardRunning({ settings, refuse: refuseBusy, log })
    : await prepareNextPages({
        settings,
        isDevelopment,
        ...(isDevelopment && httpServer && { httpServer }),
      });
  const render = limitRenders(pages.respond, refuseBusy);
  const sendAsset = isDevelopment ? null : serveAssets(join(projectRoot, '.next/static'));
  return {
    respond: (request, response) =>
      sendAsset && isForAsset(request) ? sendAsset(request, response) : render(request, response),
    close: () => pages.close(),
  };
}
