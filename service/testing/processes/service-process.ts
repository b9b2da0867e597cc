import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCacheFolder } from '../../boot/compile-cache-folder.ts';
import type { Environment } from '../../config/environment.ts';
import { addMigratedDatabase } from '../databases/migrated-data-folder.ts';

const endsWithParent = new URL('./preloads/ends-with-parent.ts', import.meta.url);
const quickImports = new URL('../../boot/quick-imports.ts', import.meta.url);
const withoutPages = new URL('./preloads/without-pages.ts', import.meta.url);
/**
 * Otherwise V8 compiles the embedded database's WebAssembly a second time, with optimizations,
 * which takes longer than the service of a test runs.
 */
const v8Flags = ['--liftoff-only'];

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The service as an operator runs it: a process with a port, and without any settings of the
 * caller.
 */
export type ServiceProcess = {
  origin: string;
  pid: number;
  /** Kills it like a crash (SIGKILL), and waits until it has ended. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM), like a supervisor; it may take a while. */
  stop(): void;
  /** Waits for its end and returns its exit code; null if a signal ended it. */
  ended(): Promise<number | null>;
  /** Suspends it (SIGSTOP), as when a machine is suspended; `wake` resumes it. */
  freeze(): void;
  wake(): void;
  /** Everything it has printed. */
  output(): string;
};

/**
 * Starts a service and resolves when it is ready. If its data folder has no database, it gets a
 * migrated one.
 * @param preloads modules that change it before it starts, such as `short-leases.ts`
 * @throws with its output if it ends before it is ready
 */
export async function startService(
  environment: Environment,
  ...preloads: URL[]
): Promise<ServiceProcess> {
  return await startServiceIn(root, environment, ...preloads);
}

/** Starts a service from a copy of the repository. */
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

/** Starts a service that should end before it is ready, and waits for its end. */
export async function runEndingService(
  environment: Environment,
  ...preloads: URL[]
): Promise<{ exitCode: number | null; output: string }> {
  const { child, output, ended } = spawnService(root, { PORT: '0', ...environment }, preloads);
  await ended;
  return { exitCode: child.exitCode, output: output() };
}

/** The lines that a service logged as errors. */
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
  const imports = [endsWithParent, quickImports, withoutPages, ...preloads].flatMap(({ href }) => [
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
  // Not "exit", because its last output may arrive after that.
  return { child, output: () => printed.join(''), ended: once(child, 'close') };
}
