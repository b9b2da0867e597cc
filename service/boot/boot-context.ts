import { ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import { createAuth } from '../auth/auth.ts';
import { createDeviceTokens } from '../auth/device-tokens.ts';
import { scryptHashing } from '../auth/password.ts';
import type { PasswordHashing } from '../auth/password.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/load-config.ts';
import { Slots } from '../concurrency/slots.ts';
import type { Context } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { withAuditChain } from '../domain/audit/chain/append-entries.ts';
import { evictChangedKeys } from '../domain/api-keys/tokens/changed-keys.ts';
import { KeyCache } from '../domain/api-keys/tokens/key-cache.ts';
import { defaultLookUps } from '../domain/api-keys/tokens/token-look-ups.ts';
import { CallLog } from '../domain/api-keys/calls/call-log.ts';
import { TokenUsage } from '../domain/api-keys/tokens/token-usage.ts';
import { MessageWrites, groupLimits } from '../domain/conversations/message-writes.ts';
import { defaultHeavyReads, refuseAsUnavailable, Workload } from '../domain/capacity/workload.ts';
import { freeAllLeases } from '../domain/lanes/statements/free-all-leases.ts';
import { EventStreams } from '../domain/event-feed/event-streams.ts';
import { LaneNotifier } from '../domain/lanes/lane-notifier.ts';
import { FailedSignIns } from '../domain/people/sign-in/failed-sign-ins.ts';
import { reencryptAppSecrets } from '../domain/people/second-factors/authenticator-app.ts';
import { reencryptHeaders } from '../domain/webhooks/static-headers.ts';
import { reencryptSecrets } from '../domain/webhooks/secret/secret.ts';
import { createLimiter } from '../limiter/limiter.ts';
import type { Logger } from '../log/log.ts';
import { createMailer } from '../mail/mailer.ts';
import { noMetrics } from '../metrics.ts';
import type { CallMetrics } from '../metrics.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { deriveKey } from '../secrets/secret-key.ts';
import { effects } from './effects.ts';
import { loadKeys } from './load-keys.ts';
import type { Keys } from './load-keys.ts';
import { warnOfDifferentSettings } from './warn-of-different-settings.ts';

/** How long a cached key may be out of date if the notification about its change was lost. */
const keyCacheTtlMs = 5000;

type BootOptions = {
  config: Config;
  database: OpenDatabase;
  clock: Clock;
  log: Logger;
  passwords?: PasswordHashing;
  metrics?: CallMetrics;
  tracing?: Tracing | null;
};

/**
 * Creates the parts of a running service on an open database, and prepares what is stored there.
 * @throws StartError if SECRET_KEY is not the key of the database
 */
export async function bootContext(options: BootOptions): Promise<Context> {
  const { config, log } = options;
  const { db, engine } = options.database;
  const keys = await loadKeys(db, { config, log });
  const ctx = createContext(options, keys);
  if (keys.secretKeys.previous !== null) await reencryptStoredSecrets(ctx);
  if (engine === 'pglite') await freeAllLeases(ctx);
  else await warnOfDifferentSettings(ctx);
  evictChangedKeys(ctx);
  return ctx;
}

function createContext(
  {
    config,
    database,
    clock,
    log,
    passwords = scryptHashing,
    metrics = noMetrics,
    tracing = null,
  }: BootOptions,
  { secretKeys, cipher, auditKeys }: Keys,
): Context {
  const { notifier, engine } = database;
  const db = withAuditChain(database.db, auditKeys);
  const laneNotifier = new LaneNotifier({ db, clock, log });
  return {
    config,
    db,
    workerDb: withAuditChain(database.workerDb, auditKeys),
    maintenanceDb: withAuditChain(database.maintenanceDb, auditKeys),
    clock,
    log,
    cipher,
    auditKeys,
    effects,
    limiter: createLimiter({ config, clock, log, metrics }),
    workload: new Workload(),
    heavyReads: new Slots({ ...defaultHeavyReads, refuse: refuseAsUnavailable }),
    outages: new ThrottledFailures(),
    notifier,
    keyCache: new KeyCache({ ttlMs: keyCacheTtlMs, clock }),
    tokenLookUps: new Slots({ ...defaultLookUps, refuse: refuseAsUnavailable }),
    usage: new TokenUsage({ db, clock, log }),
    calls: new CallLog({ db, clock, log }),
    laneNotifier,
    eventStreams: new EventStreams(),
    messageWrites: new MessageWrites({ db, laneNotifier, limits: groupLimits[engine] }),
    metrics,
    tracing,
    auth: createAuth({ db, key: deriveKey(secretKeys.current, 'sessions'), clock, passwords }),
    failedSignIns: new FailedSignIns({ db, clock, log }),
    deviceTokens: createDeviceTokens({ secretKeys, clock }),
    mail: createMailer({ config, log }),
    dashboardCredential: config.dashboardCredential,
  };
}

async function reencryptStoredSecrets(ctx: Context): Promise<void> {
  const signingSecrets = await reencryptSecrets(ctx);
  const webhookHeaders = await reencryptHeaders(ctx);
  const authenticatorApps = await reencryptAppSecrets(ctx);
  ctx.log.info(
    {
      signing_secrets: signingSecrets,
      webhook_headers: webhookHeaders,
      authenticator_apps: authenticatorApps,
    },
    'encrypted stored secrets with the current SECRET_KEY. Remove SECRET_KEY_PREVIOUS: it is not needed any more',
  );
}
