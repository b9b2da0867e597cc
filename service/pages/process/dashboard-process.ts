import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settings as serviceSettings } from '../../config/settings.ts';
import { writeLogLine } from '../../log/log.ts';
import type { Logger, LogLevel } from '../../log/log.ts';
import { StartError } from '../../start-error.ts';
import type { DashboardSettings, PageHandler } from '../next-pages.ts';
import { endWithService } from './end-with-service.ts';
import { forwardRequest } from './forward-request.ts';
import type { FromDashboard, ToDashboard } from './messages.ts';

export type DashboardProcess = {
  handle: PageHandler;
  /** Resolves when it has ended, with how it did. */
  ended: Promise<string>;
  /** Ends it at once, and waits for that. */
  end(): Promise<void>;
};

export type DashboardProcessOptions = {
  /** The module that it runs. */
  program: URL;
  settings: DashboardSettings;
  log: Logger;
  /** How often it is asked for a sign of life, in milliseconds. */
  pingEveryMs: number;
  /** How long it may take until it takes requests, in milliseconds; then it is ended. */
  startTimeoutMs: number;
};

/** After so many pings without an answer it counts as hung, and is ended. */
const maxUnanswered = 3;

/**
 * Room for what one page makes, which lives no longer than its request. With 4 MiB much of it is
 * copied to the old objects first, which takes a third more processor time. With 32 the process
 * stays 160 MiB larger after many pages, where with 16 it gives them back.
 */
const v8Flags = ['--max-semi-space-size=16'];

/**
 * Starts the process that renders the dashboard. Of the service's settings it gets those of the
 * dashboard and no others: no key, and no address of a database.
 *
 * @returns the process, once it takes requests
 * @throws StartError if no socket can be made for it; Error if it ends before that
 */
export async function openDashboardProcess(
  options: DashboardProcessOptions,
): Promise<DashboardProcess> {
  const { program, settings, log, pingEveryMs, startTimeoutMs } = options;
  const folder = makeSocketFolder();
  const socketPath = join(folder, 'pages.sock');
  const environment = withoutSettings(process.env);
  const child = fork(program, {
    env: environment,
    execArgv: [...process.execArgv.filter((flag) => !flag.startsWith('--inspect')), ...v8Flags],
  });
  endWithService(child, { folder, environment, log });
  const ended = once(child, 'exit').then(() => {
    // Without waiting, as it was made.
    rmSync(folder, { recursive: true, force: true });
    return child.signalCode ?? `code ${child.exitCode}`;
  });
  const isReady = new Promise<true>((resolve) => {
    child.on('message', (message: FromDashboard) => {
      if (message.type === 'ready') resolve(true);
      else if (message.type === 'log') writeLogLine(log, message.line);
    });
  });
  const logLevel = log.level as LogLevel;
  tell(child, { type: 'start', settings, socketPath, logLevel });
  // One that hangs before it is ready would be waited for until the service is started again.
  const startTimer = setTimeout(() => {
    log.error('the process that renders the dashboard takes too long to start: it is ended');
    child.kill('SIGKILL');
  }, startTimeoutMs).unref();
  const cause = await Promise.race([isReady, ended]).finally(() => clearTimeout(startTimer));
  if (cause !== true) throw new Error(`The process that renders the dashboard ended: ${cause}.`);

  const stopWatching = endWhenHung(child, { pingEveryMs, log });
  const agent = new Agent({ keepAlive: true });
  child.once('exit', () => {
    stopWatching();
    agent.destroy();
  });
  return {
    handle: (request, response) => forwardRequest(request, response, { agent, socketPath }),
    ended,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Nobody else can open what is in it. Made without waiting: the service could end meanwhile, by a
 * signal, and nobody would remove it.
 */
function makeSocketFolder(): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, 'dashboard-'));
  } catch (cause) {
    throw new StartError(
      `The process that renders the dashboard needs a folder for its socket, and ${parent} can't be written to. Set TMPDIR to a folder that the service may write to.`,
      { cause },
    );
  }
}

/** Counts unanswered pings rather than time, which also passes while the machine is suspended. */
function endWhenHung(
  child: ChildProcess,
  { pingEveryMs, log }: Pick<DashboardProcessOptions, 'pingEveryMs' | 'log'>,
): () => void {
  let unanswered = 0;
  child.on('message', (message: FromDashboard) => {
    if (message.type === 'pong') unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered < maxUnanswered) {
      unanswered += 1;
      tell(child, { type: 'ping' });
      return;
    }
    log.error('the process that renders the dashboard does not answer: it is ended');
    child.kill('SIGKILL');
  }, pingEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = { ...environment };
  for (const name of serviceSettings.keyof().options) delete kept[name];
  return kept;
}

function tell(child: ChildProcess, message: ToDashboard): void {
  // One that has just ended is told nothing; its end is noticed by itself.
  if (child.connected) child.send(message, () => undefined);
}
