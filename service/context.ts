import type { Auth } from './auth/auth.ts';
import type { DeviceTokens } from './auth/device-tokens.ts';
import type { Cipher } from './secrets/cipher.ts';
import type { Clock } from './clock.ts';
import type { KeyedConcurrencyLimit } from './concurrency/keyed-concurrency-limit.ts';
import type { Config } from './config/load-config.ts';
import type { Notifier } from './db/notifier.ts';
import type { Db } from './db/open.ts';
import type { AuditKeys } from './domain/audit/chain/audit-keys.ts';
import type { KeyCache } from './domain/api-keys/tokens/key-cache.ts';
import type { TokenUsage } from './domain/api-keys/tokens/token-usage.ts';
import type { MessageWrites } from './domain/conversations/message-writes.ts';
import type { LaneNotifier } from './domain/lanes/lane-notifier.ts';
import type { Limiter } from './limiter/limiter.ts';
import type { Workload } from './domain/capacity/workload.ts';
import type { Logger } from './log/log.ts';
import type { Mailer } from './mail/mailer.ts';

/** Everything a verb reaches outside itself. Made once at boot; tests make their own. */
export type Context = {
  config: Config;
  db: Db;
  /** The same database, over connections that calls do not use: the `db` of the delivery worker. */
  workerDb: Db;
  /** The same, with the rights to remove audit entries and to chain older ones. */
  maintenanceDb: Db;
  clock: Clock;
  log: Logger;
  cipher: Cipher;
  auditKeys: AuditKeys;
  limiter: Limiter;
  workload: Workload;
  /** Limits reads that can take seconds, by account. */
  heavyReads: KeyedConcurrencyLimit;
  notifier: Notifier;
  keyCache: KeyCache;
  /** Of tokens that this process does not know, by address. */
  tokenLookUps: KeyedConcurrencyLimit;
  usage: TokenUsage;
  laneNotifier: LaneNotifier;
  messageWrites: MessageWrites;
  auth: Auth;
  deviceTokens: DeviceTokens;
  mail: Mailer;
  /** What the dashboard's server side shows to act for a signed-in person; null where no dashboard may call. */
  dashboardCredential: string | null;
};
