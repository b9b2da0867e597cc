import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCacheFolder } from '../../boot/compile-cache-folder.ts';
import { settings as serviceSettings } from '../../config/settings.ts';
import { writeLogLine } from '../../log/log.ts';
import type { Logger, LogLevel } from '../../log/log.ts';
import { StartError } from '../../start-error.ts';
import type { DashboardSettings, PageHandler } from '../next-pages.ts';
import { endWithService } from './end-with-service.ts';
import { forwardRequest } from './forward-request.ts';
import type { FromDashboard, ToDashboard } from './messages.ts';

export type DashboardProcess = {
  /** Passes a request to the process, and its response back. */
  forward: PageHandler;
  /** Resolves when the process has ended, with its exit code or signal. */
  ended: Promise<string>;
  /** Kills the process, and waits for its end. */
  kill(): Promise<void>;
};

type DashboardProcessOptions = {
  /** The module that the process runs. */
  program: URL;
  settings: DashboardSettings;
  log: Logger;
  /** How often the process is pinged, in milliseconds. */
  pingEveryMs: number;
  /** How many milliseconds it may take until it accepts requests; then it is killed. */
  startTimeoutMs: number;
};

/** After this many pings without a response the process counts as hung, and is killed. */
const maxUnanswered = 3;

/**
 * Memory for the objects of one page, which live no longer than its request. With less, much of it
 * is first copied to the old generation, which takes processor time. With more, the process stays
 * larger after many pages.
 */
const v8Flags = ['--max-semi-space-size=16'];

/**
 * Starts the process that renders the dashboard. It gets only the dashboard's settings: no key, and
 * no address of a database.
 *
 * @returns the process, once it accepts requests
 * @throws StartError if no socket can be created for it; Error if it ends before that
 */
export async function openDashboardProcess(
  options: DashboardProcessOptions,
): Promise<DashboardProcess> {
  const { program, log } = options;
  const folder = makeSocketFolder();
  const socketPath = join(folder, 'pages.sock');
  const child = forkDashboard(program, { folder, log });
  const ended = once(child, 'exit').then(() => {
    // Synchronously, as the folder was created.
    rmSync(folder, { recursive: true, force: true });
    return child.signalCode ?? `code ${child.exitCode}`;
  });
  const cause = await Promise.race([whenReady(child, { ...options, socketPath }), ended]);
  if (cause !== 'ready') throw new Error(`The process that renders the dashboard ended: ${cause}.`);

  killWhenHung(child, options);
  const agent = new Agent({ keepAlive: true });
  child.once('exit', () => agent.destroy());
  return {
    forward: (request, response) => forwardRequest(request, response, { agent, socketPath }),
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts the process, without the settings of the service. It ends with the service. */
function forkDashboard(
  program: URL,
  { folder, log }: { folder: string; log: Logger },
): ChildProcess {
  const environment = {
    NODE_COMPILE_CACHE: compileCacheFolder,
    ...withoutSettings(process.env),
  };
  const child = fork(program, {
    env: environment,
    execArgv: [...process.execArgv.filter((flag) => !flag.startsWith('--inspect')), ...v8Flags],
  });
  endWithService(child, { folder, environment, log });
  child.on('message', (message: FromDashboard) => {
    if (message.type === 'log') writeLogLine(log, message.line);
  });
  return child;
}

/**
 * Sends the process its settings, and resolves when it accepts requests. If that takes too long, the
 * process is killed; without this, one that hangs during its start would never be replaced.
 */
async function whenReady(
  child: ChildProcess,
  options: DashboardProcessOptions & { socketPath: string },
): Promise<'ready'> {
  const { settings, socketPath, log, startTimeoutMs } = options;
  const { promise, resolve } = Promise.withResolvers<'ready'>();
  const timer = setTimeout(() => {
    log.error('the process that renders the dashboard takes too long to start: it is ended');
    child.kill('SIGKILL');
  }, startTimeoutMs).unref();
  child.once('exit', () => clearTimeout(timer));
  child.on('message', ({ type }: FromDashboard) => {
    if (type !== 'ready') return;
    clearTimeout(timer);
    resolve('ready');
  });
  sendMessage(child, { type: 'start', settings, socketPath, logLevel: log.level as LogLevel });
  return await promise;
}

/**
 * A folder that nobody else can open. It is created synchronously: otherwise a signal could end the
 * service in between, and nobody would remove the folder.
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

/**
 * Kills the process when it no longer responds. Counts unanswered pings instead of time, because time
 * also passes while the machine is suspended.
 */
function killWhenHung(
  child: ChildProcess,
  { pingEveryMs, log }: Pick<DashboardProcessOptions, 'pingEveryMs' | 'log'>,
): void {
  let unanswered = 0;
  child.on('message', (message: FromDashboard) => {
    if (message.type === 'pong') unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered < maxUnanswered) {
      unanswered += 1;
      sendMessage(child, { type: 'ping' });
      return;
    }
    log.error('the process that renders the dashboard does not respond: it is ended');
    child.kill('SIGKILL');
  }, pingEveryMs);
  timer.unref();
  child.once('exit', () => clearInterval(timer));
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = { ...environment };
  for (const name of serviceSettings.keyof().options) {
    delete kept[name];
    delete kept[`${name}_FILE`];
  }
  return kept;
}

function sendMessage(child: ChildProcess, message: ToDashboard): void {
  // A process that has just ended gets no message; its end is noticed separately.
  if (child.connected) child.send(message, () => undefined);
}
