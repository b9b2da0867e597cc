import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCacheFolder } from '../../boot/compile-cache.ts';
import type { Environment } from '../../config/environment.ts';
import { addMigratedDatabase } from '../databases/migrated-data-folder.ts';

const endsWithParent = new URL('./preloads/ends-with-parent.ts', import.meta.url);
const quickDrizzle = new URL('./preloads/quick-drizzle.ts', import.meta.url);
const withoutPages = new URL('./preloads/without-pages.ts', import.meta.url);
/**
 * V8 compiles the embedded database's WebAssembly a second time, better, which takes longer than a
 * test's service lives.
 */
const v8Flags = ['--liftoff-only'];

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The service as an operator runs it: a process, a port, and nothing of the caller's settings. */
export type ServiceProcess = {
  origin: string;
  pid: number;
  /** Ends it as a crash does (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM), as a supervisor does; it may take its time. */
  stop(): void;
  /** Waits for its end and gives its exit code; null where a signal ended it. */
  ended(): Promise<number | null>;
  /** Lets it run no further (SIGSTOP), as a machine does that is suspended; `wake` lets it go on. */
  freeze(): void;
  wake(): void;
  /** All it has printed. */
  output(): string;
};

/**
 * Starts a service and resolves when it is ready. Its data folder, if it names one without a
 * database, gets a migrated one.
 * @param preloads modules that change it before it starts, as `short-leases.ts` does
 * @throws with its output if it ends before that
 */
export async function startService(
  environment: Environment,
  ...preloads: URL[]
): Promise<ServiceProcess> {
  return await startServiceIn(root, environment, ...preloads);
}

/** The same from a copy of the repository. */
export async function startServiceIn(
  folder: string,
  environment: Environment,
  ...preloads: URL[]
): Promise<ServiceProcess> {
  const { DATA_DIR } = environment;
  if (DATA_DIR !== undefined) await addMigratedDatabase(DATA_DIR);
  const { child, output, ended } = spawnService(folder, { PORT: '0', ...environment }, preloads);
  const { pid } = child;
  const isReady = new Promise<string>((resolve) => {
    child.stdout?.on('data', () => {
      const [, port] = /^Ready: .*, port (\d+)$/m.exec(output()) ?? [];
      if (port !== undefined) resolve(port);
    });
  });
  const port = await Promise.race([isReady, ended]);
  if (pid === undefined || typeof port !== 'string') {
    throw new Error(`The service ended before it was ready:\n${output()}`);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    pid,
    output,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => void child.kill('SIGTERM'),
    async ended() {
      await ended;
      return child.exitCode;
    },
    freeze: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
  };
}

/** Starts a service that is meant to be refused, and waits for its end. */
export async function runRefusedService(
  environment: Environment,
): Promise<{ exitCode: number | null; output: string }> {
  const { child, output, ended } = spawnService(root, {
    PORT: '0',
    ...environment,
  });
  await ended;
  return { exitCode: child.exitCode, output: output() };
}

/** The lines a service logged as errors. */
export function errorsIn(output: string): string[] {
  return output.split('\n').filter((line) => /^\{"level":[56]0,/.test(line));
}

function spawnService(
  folder: string,
  environment: Environment,
  preloads: URL[] = [],
): {
  child: ChildProcess;
  output: () => string;
  ended: Promise<unknown>;
} {
  const imports = [endsWithParent, quickDrizzle, withoutPages, ...preloads].flatMap(({ href }) => [
    '--import',
    href,
  ]);
  const child = spawn(process.execPath, [...v8Flags, ...imports, 'service/main.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCacheFolder,
      LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  }
  // Not "exit": what it printed last may arrive after that.
  return { child, output: () => printed.join(''), ended: once(child, 'close') };
}
