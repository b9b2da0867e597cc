import { listenForAdminCommands } from '../admin/socket.ts';
import { startBackgroundJobs } from '../background/background-jobs.ts';
import { bootContext } from '../boot/boot-context.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/load-config.ts';
import type { Context } from '../context.ts';
import { startMaintenance } from '../db/embedded/maintain.ts';
import type { OpenDatabase } from '../db/open.ts';
import { readBacklog } from '../db/read-backlog.ts';
import { readRestoredBackup } from '../db/stored-settings.ts';
import { decideOutcome } from '../delivery/outcome/decide-outcome.ts';
import { createSender } from '../delivery/sending/send.ts';
import { defaultConnectionLimits } from '../delivery/sending/connecting/connections.ts';
import { socketsWithin } from '../delivery/fairness/sockets-within.ts';
import { startWorker } from '../delivery/worker.ts';
import type { Worker } from '../delivery/worker.ts';
import { defaultLimits, workerPaces } from '../delivery/worker-pace.ts';
import { startIncidents } from '../domain/api-keys/incident/advance-incidents.ts';
import { startProcessHeartbeat } from '../domain/installation/process-heartbeat.ts';
import { startReplays } from '../domain/replays/advance-replays.ts';
import { addNewTypes } from '../domain/webhooks/update-webhook.ts';
import { startHousekeeping } from '../background/housekeeping.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics.ts';
import type { Shutdown } from '../boot/shutdown.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { repeat } from '../timing/repeat.ts';

/** A started service: what its verbs can reach, and its database. */
export type RunningService = { ctx: Context; database: OpenDatabase };

/**
 * Starts everything that works on the database without a listener: the deliveries of a worker, what
 * repeats, and the socket for operators. Adds each part to `shutdown`.
 *
 * @throws StartError if the database cannot be opened, or SECRET_KEY is not its key
 */
export async function startService(options: {
  config: Config;
  log: Logger;
  metrics: Metrics;
  shutdown: Shutdown;
  /** Opens the database, which may be opening already. */
  database: () => Promise<OpenDatabase>;
}): Promise<RunningService> {
  const { config, log, metrics, shutdown } = options;
  const tracing = await openTracing(config, log);
  // Stopped last, when all spans have ended.
  if (tracing) shutdown.add({ name: 'traces', stop: () => tracing.stop() });
  const database = await options.database();
  shutdown.add({ name: 'database', stop: () => database.close() });
  database.onCrash((cause) => {
    log.fatal({ err: cause }, 'the embedded database cannot be used any more: the process ends');
    void shutdown.end(1);
  });
  const ctx = await bootContext({
    config,
    database,
    clock: systemClock,
    log,
    metrics,
    tracing,
  });
  shutdown.add({ name: 'limiter', stop: () => ctx.limiter.close() });
  shutdown.add({ name: 'lane notifier', stop: () => ctx.laneNotifier.idle() });
  shutdown.add({ name: 'mail', stop: () => ctx.mail.close() });

  metrics.read({
    tokenLookUps: () => ctx.keyCache.counts,
    ...(database.connections && { connections: database.connections }),
  });
  const heartbeat = await startProcessHeartbeat(ctx);
  shutdown.add({ name: 'process heartbeat', stop: () => heartbeat.stop() });
  await addNewTypes(ctx);
  if (config.roles.has('api')) {
    ctx.usage.start();
    shutdown.add({ name: 'token usage', stop: () => ctx.usage.stop() });
    ctx.failedSignIns.start();
    shutdown.add({ name: 'failed sign-ins', stop: () => ctx.failedSignIns.stop() });
    ctx.calls.start();
    shutdown.add({ name: 'calls of keys', stop: () => ctx.calls.stop() });
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
    const worker = await startDelivery({ ctx, database }, { metrics, shutdown });
    metrics.read({
      attemptsInFlight: () => worker.attemptsInFlight(),
      backlog: () => readBacklog(ctx.db, ctx.clock.now()),
    });
    const replays = startReplays(ctx);
    shutdown.add({ name: 'replays', stop: () => replays.stop() });
    const incidents = startIncidents(ctx);
    shutdown.add({ name: 'incidents', stop: () => incidents.stop() });
  }
  return { ctx, database };
}

/** Imported only here: without traces, no module of OpenTelemetry's SDK is loaded. */
async function openTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (config.tracing === null) return null;
  const { createOtlpTracing } = await import('../tracing/otlp-tracing.ts');
  return createOtlpTracing(config.tracing, log);
}

async function startDelivery(
  { ctx, database }: RunningService,
  { metrics, shutdown }: { metrics: Metrics; shutdown: Shutdown },
): Promise<Worker> {
  const sockets = socketsWithin(ctx.config.webhookMaxSockets, ctx);
  const sender = createSender(ctx, { connectionLimits: { ...defaultConnectionLimits, sockets } });
  shutdown.add({ name: 'sender', stop: () => sender.close() });
  const pace = workerPaces[database.engine];
  const start = () =>
    startWorker(
      { ...ctx, db: ctx.workerDb },
      {
        sender,
        decideOutcome,
        metrics,
        pace,
        limits: { ...defaultLimits, sockets },
      },
    );
  const worker = await startUnlessOnHold(ctx, start);
  shutdown.add({ name: 'worker', stop: () => worker.stop(), waitsForOthers: true });
  return worker;
}

/**
 * Starts the worker. After the restore of a backup, an operator has to resume deliveries first: the
 * service may have sent those that were pending in the backup.
 */
async function startUnlessOnHold(ctx: Context, start: () => Worker): Promise<Worker> {
  const isOnHold = async () => (await readRestoredBackup(ctx.db)) !== null;
  if (!(await isOnHold())) return start();
  ctx.log.warn(
    'deliveries are on hold since a backup was restored: npm run admin -- resume-deliveries',
  );
  let worker: Worker | null = null;
  const wait = repeat({
    everyMs: 1000,
    async act() {
      if (worker === null && !(await isOnHold())) worker = start();
    },
    log: ctx.log,
    failure: 'whether deliveries are on hold could not be read',
  });
  return {
    attemptsInFlight: () => worker?.attemptsInFlight() ?? 0,
    async stop() {
      await wait.stop();
      await worker?.stop();
    },
  };
}
