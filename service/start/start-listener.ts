import type { Server } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import type { Config } from '../config/load-config.ts';
import { createWriteProbe } from '../db/write-probe.ts';
import { createApp } from '../http/app.ts';
import { createHealth } from '../http/listener/health.ts';
import { openListener } from '../http/listener/listener.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import type { Pages } from '../pages/next-pages.ts';
import type { Shutdown } from '../boot/shutdown.ts';
import { isDevelopment } from './is-development.ts';
import { openPages } from './open-pages.ts';
import type { RunningService } from './start-service.ts';

/** How long calls in progress may take to end when the process stops. */
const drainPatienceMs = 10_000;

/**
 * Starts the HTTP server of the process, with the API and the pages if the process has these roles.
 * The port accepts connections when the promise resolves.
 *
 * @param options.service null if the process works without a database, as one with `web` alone
 * @param options.heldPort the server that holds the port, if the port was chosen freely
 */
export async function startListener(options: {
  config: Config;
  log: Logger;
  metrics: Metrics;
  shutdown: Shutdown;
  service: RunningService | null;
  /** The pages, if a separate process renders them. */
  pages: Promise<Pages> | null;
  heldPort: SocketServer | null;
}): Promise<void> {
  const { config, log, metrics, shutdown, service, heldPort } = options;
  const api = service && config.roles.has('api') ? createApp(service.ctx) : null;
  const servesPages = config.roles.has('web');

  const listener = await openListener({
    config,
    port: heldPort ?? config.port,
    log,
    metrics,
    health: createHealth({
      ping: async () => await service?.database.ping(),
      probeWrite: service && createWriteProbe({ db: service.ctx.db, log }),
      isDraining: () => shutdown.isStopping,
      metrics,
      metricsToken: config.metricsToken,
      publicUrl: config.publicUrl,
    }),
    api: api && ((request) => api.fetch(request)),
    preparePages: servesPages
      ? async (httpServer: Server) => {
          const pages = await (options.pages ?? openPages(config, log, httpServer));
          shutdown.add({ name: 'pages', stop: () => pages.close() });
          return pages.respond;
        }
      : null,
    ...(isDevelopment && { upgradesBelow: '/_next/' }),
  });
  if (service) {
    shutdown.add({
      name: 'event streams',
      stop: () => service.ctx.eventStreams.endAll(),
      waitsForOthers: true,
    });
  }
  shutdown.add({
    name: 'listener',
    stop: () => listener.drain(drainPatienceMs),
    waitsForOthers: true,
  });
  if (isDevelopment && servesPages) void warmUp(config);
}

/** Next attaches its reload socket at the first request, and compiles the page of that request. */
async function warmUp({ apiBaseUrl }: Config): Promise<void> {
  await fetch(apiBaseUrl, { redirect: 'manual' }).catch(() => undefined);
}
