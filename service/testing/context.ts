import { randomBytes } from 'node:crypto';
import { bootContext } from '../boot/boot-context.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/load-config.ts';
import type { Context } from '../context.ts';
import type { OpenDatabase } from '../db/open.ts';
import { newToken } from '../tokens/token.ts';
import type { Logger } from '../log/log.ts';
import type { PasswordHashing } from '../auth/password.ts';
import { FakeClock } from './clock.ts';
import { openTestDatabase } from './databases/database.ts';
import { silentLog, TestLog } from './logger.ts';
import type { LogEntry } from './logger.ts';
import { quickHashing } from './quick-hashing.ts';
import { RecordingMailer } from './recording-mailer.ts';
import type { RecordedMail } from './recording-mailer.ts';
import { withSessionsById } from './sessions.ts';

export type TestContext = Context & {
  clock: FakeClock;
  dashboardCredential: string;
  database: OpenDatabase;
  /** Every email sent so far. */
  mails: readonly RecordedMail[];
  /** Everything logged so far. */
  logged: readonly LogEntry[];
  /** A log for a context that is meant to fail. */
  silentLog: Logger;
  /** Accepts logged errors with a matching message. */
  expectErrors(message: RegExp): void;
  /**
   * Deletes logs and emails, for tests that measure memory; returns the errors that no test
   * expected.
   */
  forgetRecords(): LogEntry[];
  /** Closes everything. Throws if an error was logged that no test expected. */
  dispose(): Promise<void>;
};

export type ContextOptions = Partial<Omit<Context, 'config'>> & {
  config?: Partial<Config>;
  engine?: OpenDatabase['engine'];
  /** `scryptHashing` for tests about the work of hashing. */
  passwords?: PasswordHashing;
};

/**
 * A complete service without a socket, on its own database, with sessions by id. Creating one is
 * slow, so share it within a test file, and create an account for each suite.
 */
export async function createTestContext(options: ContextOptions = {}): Promise<TestContext> {
  const {
    engine = 'pglite',
    config: configured,
    passwords,
    metrics,
    tracing,
    ...overrides
  } = options;
  const log = new TestLog();
  const clock = new FakeClock();
  const dashboardCredential = overrides.dashboardCredential ?? newToken();
  const config = {
    ...loadConfig({ SECRET_KEY: randomBytes(32).toString('base64') }),
    dashboardCredential,
    ...configured,
  };
  const mail = new RecordingMailer(config);
  const database = await openTestDatabase(engine, log.logger);
  const ctx = await bootContext({
    config,
    database,
    clock,
    log: log.logger,
    passwords: passwords ?? quickHashing,
    ...(metrics && { metrics }),
    ...(tracing && { tracing }),
  });

  return {
    ...withSessionsById(ctx),
    mail,
    ...overrides,
    clock,
    dashboardCredential,
    database,
    mails: mail.mails,
    logged: log.entries,
    silentLog,
    expectErrors: (message) => log.expectErrors(message),
    forgetRecords() {
      mail.forget();
      return log.forget();
    },
    async dispose() {
      await mail.close();
      await ctx.laneNotifier.idle();
      await ctx.usage.stop();
      await ctx.calls.stop();
      await ctx.failedSignIns.stop();
      await ctx.limiter.close();
      await database.close();
      log.assertNoUnexpectedErrors();
    },
  };
}
