import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../log/log.ts';
import type { DashboardSettings, Pages } from '../next-pages.ts';
import { openDashboardProcess } from './dashboard-process.ts';
import type { DashboardProcess } from './dashboard-process.ts';
import { NotConnectedError } from './forward-request.ts';

const defaultPace = {
  pingEveryMs: 10_000,
  /** The limit for a start, which takes seconds even on a busy machine. */
  startTimeoutMs: 120_000,
  /** How long a request waits for a process that is restarting or accepts no connection. */
  maxWaitMs: 10_000,
  /** The pause between two attempts to connect. */
  reconnectPauseMs: 50,
  /** The pause between two starts. It doubles after each start that fails, up to `maxPauseMs`. */
  firstPauseMs: 100,
  maxPauseMs: 30_000,
};

const defaultProgram = new URL('run-dashboard.ts', import.meta.url);

/**
 * Renders the dashboard in a separate process, so that neither API calls nor deliveries wait for a
 * page, and no error in a page stops them. If that process ends or hangs, it is started again.
 *
 * @param options.refuse sends the response if the page cannot be rendered now
 * @throws like `openDashboardProcess`, if the first start fails
 */
export async function keepDashboardRunning(options: {
  settings: DashboardSettings;
  refuse: (request: IncomingMessage, response: ServerResponse) => void;
  log: Logger;
  program?: URL;
  pace?: Partial<typeof defaultPace>;
}): Promise<Pages> {
  const { settings, refuse, log, program = defaultProgram } = options;
  const pace = { ...defaultPace, ...options.pace };
  const closing = new AbortController();
  let running: DashboardProcess | null = null;
  let isBack = Promise.withResolvers<void>();

  async function open(): Promise<void> {
    const { pingEveryMs, startTimeoutMs } = pace;
    const about = { program, settings, log, pingEveryMs, startTimeoutMs };
    const opened = await openDashboardProcess(about);
    if (closing.signal.aborted) {
      await opened.end();
      return;
    }
    running = opened;
    isBack.resolve();
    void opened.ended.then(async (cause) => await openAgain(cause));
  }

  async function openAgain(cause: string): Promise<void> {
    running = null;
    isBack = Promise.withResolvers();
    let pauseMs = pace.firstPauseMs;
    while (!closing.signal.aborted && running === null) {
      log.error({ cause }, 'the process that renders the dashboard has ended: it is started again');
      await wait(pauseMs, null, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (closing.signal.aborted) return;
      await open().catch((error: unknown) => {
        log.error({ err: error }, 'the process that renders the dashboard did not start');
      });
      pauseMs = Math.min(2 * pauseMs, pace.maxPauseMs);
    }
  }

  /** Waits for the process; null if it is not back in time. */
  async function whenRunning(): Promise<DashboardProcess | null> {
    if (running === null) {
      await Promise.race([isBack.promise, wait(pace.maxWaitMs, null, { ref: false })]);
    }
    return running;
  }

  /**
   * Tries again as long as nothing of the request has arrived. In that case the process has just
   * ended, or it is too busy to accept waiting connections.
   */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const latest = performance.now() + pace.maxWaitMs;
    for (;;) {
      const process = await whenRunning();
      if (process === null) throw new Error('The dashboard process has not restarted yet.');
      // The client may have disconnected in the meantime. Then nothing is rendered for it.
      if (response.closed) return;
      try {
        await process.handle(request, response);
        return;
      } catch (error) {
        const isOver = response.closed || performance.now() > latest;
        if (!(error instanceof NotConnectedError) || isOver) throw error;
        // Not raced with `process.ended`, because each race would stay in memory until the process
        // ends.
        await wait(pace.reconnectPauseMs, null, { ref: false });
      }
    }
  }

  await open();
  return {
    async handle(request, response) {
      try {
        await forward(request, response);
      } catch (error) {
        // If the client has disconnected, its own end of the request caused the error.
        if (response.closed) return;
        log.warn({ err: error }, 'a page could not be rendered');
        refuse(request, response);
      }
    },
    async close() {
      closing.abort();
      await running?.end();
    },
  };
}
