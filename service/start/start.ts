import { flushCompileCache } from 'node:module';
import type { Server as SocketServer } from 'node:net';
import { collectGarbage } from '../boot/collect-garbage.ts';
import { takeFreePort } from '../boot/take-free-port.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/load-config.ts';
import { describeMisspelled, findMisspelledSettings } from '../config/misspelled-settings.ts';
import { openDatabase } from '../db/open.ts';
import { sendConsoleToLog } from '../log/console-to-log.ts';
import { explainStartFailure } from '../boot/explain-start-failure.ts';
import { printReady } from '../boot/print-ready.ts';
import { endOnUncaughtErrors } from '../boot/end-on-uncaught-errors.ts';
import { createLogger } from '../log/log.ts';
import type { Logger } from '../log/log.ts';
import { createMetrics } from '../metrics.ts';
import { newToken } from '../tokens/token.ts';
import { Shutdown } from '../boot/shutdown.ts';
import { isDevelopment } from './is-development.ts';
import { hasDashboardProcess, openPages } from './open-pages.ts';

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
  const needsDatabase = config.roles.has('api') || config.roles.has('worker');
  const opening = Promise.withResolvers<void>();
  const open = () => openDatabase({ config, log, onOpening: opening.resolve });
  // Both open in a process or thread of their own while this one loads the rest of the service. The
  // connections to a server would time out meanwhile.
  const pages = hasDashboardProcess(config) ? openPages(config, log) : null;
  const embedded = needsDatabase && config.databaseUrl === null ? open() : null;
  // A failure is reported where the promise is awaited.
  for (const part of [pages, embedded]) part?.catch(() => undefined);
  // Its thread has to start first, because nothing else happens while modules load.
  if (embedded) await Promise.race([opening.promise, embedded]);
  const [{ startService }, { startListener }, { prepareFirstAccount }] = await Promise.all([
    import('./start-service.ts'),
    import('./start-listener.ts'),
    import('../domain/people/set-up/prepare-first-account.ts'),
  ]);
  const service = needsDatabase
    ? await startService({ config, log, metrics, shutdown, database: () => embedded ?? open() })
    : null;
  if (shutdown.isStopping) return;
  const firstAccount =
    service && config.roles.has('api') ? await prepareFirstAccount(service.ctx) : null;
  await startListener({ config, log, metrics, shutdown, service, pages, heldPort });
  if (shutdown.isStopping) return;
  printReady(config, { isPortChosen: heldPort !== null, misspelled, firstAccount });
  // Written now, because a crash would lose it.
  flushCompileCache();
  collectGarbage();
}

/** Dashboard and API in one process: a credential is created at each start, never stored. */
function withDashboardCredential(config: Config): Config {
  const isShared = config.roles.has('web') && config.roles.has('api');
  if (config.dashboardCredential !== null || !isShared) return config;
  return { ...config, dashboardCredential: newToken() };
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

/** In development an error in a page must not end the process: someone is working on the page. */
function endOnUncaught(log: Logger): void {
  endOnUncaughtErrors({ log, end: () => void (isDevelopment || shutdown.end(1)) });
}
