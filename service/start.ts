import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { Server as SocketServer } from 'node:net';
import { listenForAdminCommands } from './admin/socket.ts';
import { startBackgroundJobs } from './background/background-jobs.ts';
import { bootContext } from './boot/boot-context.ts';
import { collectGarbage } from './boot/collect-garbage.ts';
import { takeFreePort } from './boot/take-free-port.ts';
import { systemClock } from './clock.ts';
import { loadConfig } from './config/load-config.ts';
import type { Config } from './config/load-config.ts';
import { describeMisspelled, findMisspelledSettings } from './config/misspelled-settings.ts';
import { sendConsoleToLog } from './log/console-to-log.ts';
import type { Context } from './context.ts';
import { startMaintenance } from './db/embedded/maintain.ts';
import { openDatabase } from './db/open.ts';
import type { OpenDatabase } from './db/open.ts';
import { createWriteProbe } from './db/write-probe.ts';
import { decideOutcome } from './delivery/outcome/decide-outcome.ts';
import { createSender } from './delivery/sending/send.ts';
import { defaultConnectionLimits } from './delivery/sending/connecting/connections.ts';
import { socketsWithin } from './delivery/fairness/sockets-within.ts';
import { startWorker } from './delivery/worker.ts';
import { defaultLimits, workerPaces } from './delivery/worker-pace.ts';
import { startIncidents } from './domain/api-keys/incident/advance-incidents.ts';
import { prepareFirstAccount } from './domain/people/set-up/prepare-first-account.ts';
import { startReplays } from './domain/replays/start-replays.ts';
import { explainStartFailure } from './boot/explain-start-failure.ts';
import { printReady } from './boot/print-ready.ts';
import { createApp } from './http/app.ts';
import { startHousekeeping } from './background/housekeeping.ts';
import { createHealth } from './http/listener/health.ts';
import { openListener } from './http/listener/listener.ts';
import { refuseBusyPage } from './http/listener/pages/refuse-busy-page.ts';
import { endOnUncaughtErrors } from './boot/end-on-uncaught-errors.ts';
import { createLogger } from './log/log.ts';
import type { Logger } from './log/log.ts';
import { createMetrics } from './metrics.ts';
import type { Metrics } from './metrics.ts';
import type { Pages } from './pages/next-pages.ts';
import { preparePages } from './pages/prepare-pages.ts';
import { StartError } from './start-error.ts';
import { newToken } from './tokens/token.ts';
import { Shutdown } from './boot/shutdown.ts';

const isDevelopment = process.env.NODE_ENV === 'development';
const drainPatienceMs = 10_000;

/** Computed first, because the dashboard sets variables of its own later. */
const misspelled = findMisspelledSettings(process.env);

const shutdown = new Shutdown((code) => process.exit(code));

// A failure to print must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await main();

async function main(): Promise<void> {
  let log: Logger | null = null;
  let config: Config | null = null;
  try {
    config = loadConfig(process.env);
    const free = config.port === 0 ? await takeFreePort(process.env, config) : null;
    if (free) config = free.config;
    config = withDashboardCredential(config);
    const isPretty = isDevelopment || process.stdout.isTTY;
    log = createLogger({ level: config.logLevel, isPretty });
    if (!isPretty) sendConsoleToLog(console, log);
    shutdown.logTo(log);
    stopOnSignals(log);
    endOnUncaught(log);
    for (const found of misspelled) {
      log.warn({ variable: found.variable }, describeMisspelled(found));
    }
    await start(config, log, free?.held ?? null);
  } catch (error) {
    if (shutdown.isStopping) {
      // The start failed because it used a part that was already stopped.
      log?.debug({ err: error }, 'the start ended because the service stops');
      return;
    }
    const explained = explainStartFailure(error, config);
    if (explained) {
      log?.debug({ err: error }, 'the service could not start');
      process.stderr.write(`\n${explained.message}\n\n`);
    } else if (log) log.fatal({ err: error }, 'the service could not start');
    else throw error;
    await shutdown.end(1);
  }
}

/** @param heldPort the server that holds the port, if the port was chosen freely */
async function start(config: Config, log: Logger, heldPort: SocketServer | null): Promise<void> {
  const metrics = createMetrics();
  // Opened at the same time as the database: both take seconds, and there may be two processors.
  const pages = hasDashboardProcess(config) ? openPages(config, log) : null;
  // A failure is reported where the promise is awaited.
  pages?.catch(() => undefined);
  const service =
    config.roles.has('api') || config.roles.has('worker')
      ? await startService({ config, log, metrics })
      : null;
  if (shutdown.isStopping) return;
  const firstAccount =
    service && config.roles.has('api') ? await prepareFirstAccount(service.ctx) : null;
  await startListener({ config, log, metrics, service, pages, heldPort });
  if (shutdown.isStopping) return;
  printReady(config, { isPortChosen: heldPort !== null, misspelled, firstAccount });
  // Otherwise the first page would wait for it. A process without pages may have nobody to sign in.
  if (service && config.roles.has('web')) await service.ctx.auth.prepare();
  // Written now, because a crash would lose it.
  flushCompileCache();
  collectGarbage();
}

/**
 * If the dashboard and the API run together, a new credential is created at each start and never
 * stored.
 */
function withDashboardCredential(config: Config): Config {
  const isShared = config.roles.has('web') && config.roles.has('api');
  if (config.dashboardCredential !== null || !isShared) return config;
  return { ...config, dashboardCredential: newToken() };
}

/**
 * Whether pages are rendered in a process of their own, so that API calls and deliveries need not
 * wait for them. In development Next attaches itself to the listener.
 */
function hasDashboardProcess({ roles }: Config): boolean {
  return !isDevelopment && roles.has('web') && roles.size > 1;
}

async function startService(options: {
  config: Config;
  log: Logger;
  metrics: Metrics;
}): Promise<{ ctx: Context; database: OpenDatabase }> {
  const { config, log, metrics } = options;
  const database = await openDatabase({ config, log });
  shutdown.add({ name: 'database', stop: () => database.close() });
  database.onCrash((cause) => {
    log.fatal({ err: cause }, 'the embedded database cannot be used any more: the process ends');
    void shutdown.end(1);
  });
  const ctx = await bootContext({ config, database, clock: systemClock, log });
  shutdown.add({ name: 'limiter', stop: () => ctx.limiter.close() });
  shutdown.add({ name: 'lane notifier', stop: () => ctx.laneNotifier.idle() });
  shutdown.add({ name: 'mail', stop: () => ctx.mail.close() });

  if (config.roles.has('api')) {
    ctx.usage.start();
    shutdown.add({ name: 'token usage', stop: () => ctx.usage.stop() });
  }
  if (database.engine === 'pglite') {
    const adminSocket = await listenForAdminCommands(ctx, config.dataDir);
    if (adminSocket) shutdown.add({ name: 'admin socket', stop: () => adminSocket.close() });
  }
  if (config.roles.has('worker') && database.engine === 'pglite') {
    const maintenance = startMaintenance({ db: ctx.db, log });
    shutdown.add({ name: 'maintenance', stop: () => maintenance.stop() });
  }
  if (config.roles.has('worker')) {
    const housekeeping = startHousekeeping(ctx);
    shutdown.add({ name: 'housekeeping', stop: () => housekeeping.stop() });
    for (const job of startBackgroundJobs(ctx)) shutdown.add(job);
    startDelivery({ ctx, database, metrics });
    const replays = startReplays(ctx);
    shutdown.add({ name: 'replays', stop: () => replays.stop() });
    const incidents = startIncidents(ctx);
    shutdown.add({ name: 'incidents', stop: () => incidents.stop() });
  }
  return { ctx, database };
}

function startDelivery(options: { ctx: Context; database: OpenDatabase; metrics: Metrics }): void {
  const { ctx, database, metrics } = options;
  const sockets = socketsWithin(ctx.config.webhookMaxSockets, ctx);
  const sender = createSender(ctx, { connectionLimits: { ...defaultConnectionLimits, sockets } });
  shutdown.add({ name: 'sender', stop: () => sender.close() });
  const pace = workerPaces[database.engine];
  const worker = startWorker(
    { ...ctx, db: ctx.workerDb },
    {
      sender,
      decideOutcome,
      metrics,
      pace,
      limits: { ...defaultLimits, sockets },
    },
  );
  shutdown.add({ name: 'worker', stop: () => worker.stop(), waitsForOthers: true });
}

async function startListener(options: {
  config: Config;
  log: Logger;
  metrics: Metrics;
  service: { ctx: Context; database: OpenDatabase } | null;
  /** The pages, if a separate process renders them. */
  pages: Promise<Pages> | null;
  heldPort: SocketServer | null;
}): Promise<void> {
  const { config, log, metrics, service, heldPort } = options;
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
  shutdown.add({
    name: 'listener',
    stop: () => listener.drain(drainPatienceMs),
    waitsForOthers: true,
  });
  // Next attaches its reload socket at the first request, and compiles the page of that request.
  if (isDevelopment && servesPages) void warmUp(config);
}

async function openPages(config: Config, log: Logger, httpServer?: Server): Promise<Pages> {
  const { publicUrl, ownUrl, apiBaseUrl, dashboardCredential } = config;
  if (dashboardCredential === null) throw new StartError('Set DASHBOARD_CREDENTIAL.');
  return await preparePages({
    settings: {
      publicUrl: publicUrl.origin,
      apiBaseUrl: apiBaseUrl.origin,
      credential: dashboardCredential,
      ownOrigin: ownUrl.origin,
    },
    hasOwnProcess: hasDashboardProcess(config),
    isDevelopment,
    ...(httpServer && { httpServer }),
    refuseBusy: refuseBusyPage,
    log,
  });
}

async function warmUp({ apiBaseUrl }: Config): Promise<void> {
  await fetch(apiBaseUrl, { redirect: 'manual' }).catch(() => undefined);
}

function stopOnSignals(log: Logger): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (shutdown.isStopping) process.exit(1);
      log.info({ signal }, 'stopping');
      void shutdown.end(0);
    });
  }
}

/** In development an error in a page must not end the process: somebody is working on the page. */
function endOnUncaught(log: Logger): void {
  endOnUncaughtErrors({ log, end: () => void (isDevelopment || shutdown.end(1)) });
}
