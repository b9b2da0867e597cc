import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
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

type KeptOptions = {
  settings: DashboardSettings;
  log: Logger;
  program?: URL;
  pace?: Partial<typeof defaultPace>;
};

/**
 * Renders the dashboard in a separate process, so that neither API calls nor deliveries wait for a
 * page, and no error in a page stops them. If that process ends or hangs, it is started again.
 *
 * @param options.refuse sends the response if the page cannot be rendered now
 * @throws like `openDashboardProcess`, if the first start fails
 */
export async function keepDashboardRunning(
  options: KeptOptions & {
    refuse: (request: IncomingMessage, response: ServerResponse) => void;
  },
): Promise<Pages> {
  const { refuse, log } = options;
  const kept = new KeptProcess(options);
  await kept.open();
  return {
    async respond(request, response) {
      try {
        await kept.forward(request, response);
      } catch (error) {
        // If the client has disconnected, its own end of the request caused the error.
        if (response.closed) return;
        log.warn({ err: error }, 'a page could not be rendered');
        refuse(request, response);
      }
    },
    close: () => kept.close(),
  };
}

/** The process that renders the dashboard. When it has ended, another takes its place. */
class KeptProcess {
  readonly #options: KeptOptions;
  readonly #pace: typeof defaultPace;
  readonly #closing = new AbortController();
  #running: DashboardProcess | null = null;
  /** The process that is being ended because nothing can connect to it anymore. */
  #unreachable: DashboardProcess | null = null;
  #isBack = Promise.withResolvers<void>();

  constructor(options: KeptOptions) {
    this.#options = options;
    this.#pace = { ...defaultPace, ...options.pace };
  }

  /** @throws like `openDashboardProcess` */
  async open(): Promise<void> {
    const { settings, log, program = defaultProgram } = this.#options;
    const { pingEveryMs, startTimeoutMs } = this.#pace;
    const about = { program, settings, log, pingEveryMs, startTimeoutMs };
    const opened = await openDashboardProcess(about);
    if (this.#closing.signal.aborted) {
      await opened.kill();
      return;
    }
    this.#running = opened;
    this.#isBack.resolve();
    void opened.ended.then(async (cause) => await this.#openAgain(cause));
  }

  /**
   * Tries again as long as nothing of the request has arrived. In that case the process has just
   * ended, or it is too busy to accept waiting connections.
   */
  async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const latest = performance.now() + this.#pace.maxWaitMs;
    for (;;) {
      const process = await this.#whenRunning();
      if (process === null) throw new Error('The dashboard process has not restarted yet.');
      // The client may have disconnected in the meantime. Then nothing is rendered for it.
      if (response.closed) return;
      try {
        await process.forward(request, response);
        return;
      } catch (error) {
        const isOver = response.closed || performance.now() > latest;
        if (!(error instanceof NotConnectedError) || isOver) throw error;
        if (error.isSocketMissing) await this.#endWithoutSocket(process);
        // Not raced with `process.ended`, because each race would stay in memory until the process
        // ends.
        await pause(this.#pace.reconnectPauseMs, null, { ref: false });
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.kill();
  }

  /** Ends a process whose socket was removed by a program that deletes old temporary files. */
  async #endWithoutSocket(process: DashboardProcess): Promise<void> {
    if (this.#running !== process || this.#unreachable === process) return;
    this.#unreachable = process;
    this.#options.log.error(
      'the socket of the process that renders the dashboard was removed: the process is ended',
    );
    await process.kill();
  }

  async #openAgain(cause: string): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#closing;
    this.#running = null;
    this.#isBack = Promise.withResolvers();
    let pauseMs = this.#pace.firstPauseMs;
    while (!signal.aborted && this.#running === null) {
      log.error({ cause }, 'the process that renders the dashboard has ended: it is started again');
      await pause(pauseMs, null, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.open().catch((error: unknown) => {
        log.error({ err: error }, 'the process that renders the dashboard did not start');
      });
      pauseMs = Math.min(2 * pauseMs, this.#pace.maxPauseMs);
    }
  }

  /** Waits for the process; null if it is not back in time. */
  async #whenRunning(): Promise<DashboardProcess | null> {
    if (this.#running === null) {
      const tooLate = pause(this.#pace.maxWaitMs, null, { ref: false });
      await Promise.race([this.#isBack.promise, tooLate]);
    }
    return this.#running;
  }
}
