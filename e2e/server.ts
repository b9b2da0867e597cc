import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

export type Environment = Readonly<Record<string, string>>;

/** A service of one's own: a process, a port and a data folder that nobody else uses. */
export type Server = {
  origin: string;
  /** All it has printed, its restarts included. */
  output(): string;
  /** Asks it to stop and waits for its end; the data stay. */
  stop(): Promise<void>;
  /** With what the process ended that ran last; null while it runs, or where a signal ended it. */
  exitCode(): number | null;
  /** Starts it again, on the same port and the same data, if it doesn't run. */
  start(): Promise<void>;
  /** Runs an operator's command on its data, `npm run admin -- …`, and gives what that printed. */
  admin(...args: string[]): Promise<string>;
  /** Ends it at once and removes its data. */
  destroy(): Promise<void>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const patienceMs = 60_000;

/**
 * Starts the built product with these settings, and resolves when it is ready.
 * @param options.isFirstStart on an empty data folder, as on a fresh machine; it is quicker to begin
 *   with a database that has its tables
 */
export async function startServer(
  environment: Environment,
  { isFirstStart = false } = {},
): Promise<Server> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-data-'));
  const origin = `http://127.0.0.1:${port}`;
  const printed: string[] = [];
  let running: ChildProcess | null = null;
  let latest: ChildProcess | null = null;

  function run(...args: string[]) {
    return spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Nothing of the caller's own settings: a DATABASE_URL there must not be tested upon.
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PORT: String(port),
        PUBLIC_URL: origin,
        DATA_DIR: dataDir,
        ...environment,
      },
    });
  }

  async function start(): Promise<void> {
    if (running !== null) return;
    const child = run('service/main.ts');
    running = child;
    latest = child;
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    await untilReady(child, { origin, output });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async function admin(...args: string[]): Promise<string> {
    const command = run('service/admin.ts', ...args);
    const said: string[] = [];
    command.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    command.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    // `close`, not `exit`: by then all it printed has been read.
    const [code] = (await once(command, 'close')) as [number | null];
    if (code !== 0)
      throw new Error(`admin ${args.join(' ')} ended with ${code}:\n${said.join('')}`);
    return said.join('');
  }

  async function destroy(): Promise<void> {
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }

  function output(): string {
    return printed.join('');
  }

  try {
    if (!isFirstStart && environment['ROLES'] !== 'web') await addDatabase(dataDir);
    await start();
  } catch (error) {
    await destroy();
    throw error;
  }
  return {
    origin,
    output,
    start,
    stop: () => end('SIGTERM'),
    exitCode: () => latest?.exitCode ?? null,
    admin,
    destroy,
  };
}

/** Projects that only drive a service elsewhere have no file to make a database with. */
async function addDatabase(dataDir: string): Promise<void> {
  const { addMigratedDatabase } = await import('#service/testing/migrated-data-folder.ts');
  await addMigratedDatabase(dataDir);
}

/** A token as the service makes them: random, and with the checksum it expects. */
export function newToken(): string {
  const random = [...randomBytes(32)].map((byte) => digits.charAt(byte % 62)).join('');
  const body = `sk_live_${random}`;
  // By its module: runtimes that only drive a service elsewhere may lack it.
  let rest = zlib.crc32(body);
  let checksum = '';
  for (let place = 0; place < 6; place += 1) {
    checksum = digits.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return body + checksum;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

async function untilReady(
  child: ChildProcess,
  { origin, output }: { origin: string; output: () => string },
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended before it was ready:\n${output()}`);
    }
    if (Date.now() > deadline) throw new Error(`The service is not ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
