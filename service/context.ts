import type { Auth } from './auth/auth.ts';
import type { DeviceTokens } from './auth/device-tokens.ts';
import type { Cipher } from './secrets/cipher.ts';
import type { Clock } from './clock.ts';
import type { Slots } from './concurrency/slots.ts';
import type { Config } from './config/load-config.ts';
import type { Notifier } from './db/notifier.ts';
import type { Db } from './db/open.ts';
import type { Effects } from './domain/effects.ts';
import type { AuditKeys } from './domain/audit/chain/audit-keys.ts';
import type { CallLog } from './domain/api-keys/calls/call-log.ts';
import type { KeyCache } from './domain/api-keys/tokens/key-cache.ts';
import type { TokenUsage } from './domain/api-keys/tokens/token-usage.ts';
import type { MessageWrites } from './domain/conversations/message-writes.ts';
import type { EventStreams } from './domain/event-feed/event-streams.ts';
import type { LaneNotifier } from './domain/lanes/lane-notifier.ts';
import type { FailedSignIns } from './domain/people/sign-in/failed-sign-ins.ts';
import type { Limiter } from './limiter/limiter.ts';
import type { Workload } from './domain/capacity/workload.ts';
import type { ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import type { Logger } from './log/log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { CallMetrics } from './metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

/** Everything that a verb uses outside itself. The service creates one at boot, tests their own. */
export type Context = {
  config: Config;
  db: Db;
  /** The delivery worker's `db`: the same database, over connections that calls do not use. */
  workerDb: Db;
  /** The same database, with the rights to remove audit entries and to chain older ones. */
  maintenanceDb: Db;
  clock: Clock;
  log: Logger;
  cipher: Cipher;
  auditKeys: AuditKeys;
  /** What each change brings about in other nouns. */
  effects: Effects;
  limiter: Limiter;
  workload: Workload;
  /** Limits, for each account, reads that can take seconds. */
  heavyReads: Slots;
  /** Decides which temporary failures of calls to log. */
  outages: ThrottledFailures;
  notifier: Notifier;
  keyCache: KeyCache;
  /** Limits, for each address, look-ups of tokens that this process does not know. */
  tokenLookUps: Slots;
  usage: TokenUsage;
  calls: CallLog;
  laneNotifier: LaneNotifier;
  eventStreams: EventStreams;
  messageWrites: MessageWrites;
  metrics: CallMetrics;
  /** Null if no traces are recorded. */
  tracing: Tracing | null;
  auth: Auth;
  failedSignIns: FailedSignIns;
  deviceTokens: DeviceTokens;
  mail: Mailer;
  /** The dashboard acts with it for a signed-in person; null if no dashboard may call. */
  dashboardCredential: string | null;
};
