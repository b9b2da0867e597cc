import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import { controlOf } from './control.ts';
import type { Control } from './control.ts';

export type Environment = Readonly<Record<string, string>>;

/** A service with a process, a port and a data folder of its own. */
export type Server = {
  origin: string;
  /** Its data folder. */
  dataDir: string;
  /** Its process, which changes with each start. */
  pid(): number;
  /** Everything it has printed, including after restarts. */
  output(): string;
  /** Asks it to stop and waits until it has ended; the data stay. */
  stop(): Promise<void>;
  /** Kills it, like a crash; the data stay. */
  kill(): Promise<void>;
  /** The exit code of the process that ran last; null while it runs, or if a signal ended it. */
  exitCode(): number | null;
  /** Starts it again, on the same port and data, unless it runs. */
  start(): Promise<void>;
  /** What tests may do to it, if it was started for that. It changes with each start. */
  readonly control: Control | null;
  /** Kills it and removes its data. */
  destroy(): Promise<void>;
};

/** So that a suite that was broken off leaves no service behind. */
const endsWithParent =
  "data:text/javascript,process.on('disconnect',()=>process.exit(1));process.channel.unref()";
/**
 * Without this flag, V8 would compile the embedded database's WebAssembly again with its optimizing
 * compiler, which slows down each start.
 */
const v8Flags = ['--liftoff-only'];
/** On a busy machine, a first start takes a minute or more. */
const patienceMs = 180_000;

export type ServerOptions = {
  /** The folder of the built product: a checkout, or an unpacked bundle. */
  product: string;
  environment?: Environment;
  /** Starts on an empty data folder, as on a new machine, not on a copy of a prepared one. */
  isFirstStart?: boolean;
  /** Whether tests may do more to it than its API allows. */
  isControlled?: boolean;
};

/**
 * Starts the built product with these settings, and resolves when it is ready.
 *
 * @throws if the folder has no built product, or with the output of a service that ended
 */
export async function startServer({
  product: folder,
  environment = {},
  isFirstStart = false,
  isControlled = false,
}: ServerOptions): Promise<Server> {
  const product = path.resolve(folder);
  if (!existsSync(join(product, '.next/BUILD_ID'))) {
    throw new Error(
      `${product} has no built product: run npm run build there, or unpack an archive of npm run bundle.`,
    );
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'messaging-data-'));
  // 0: the server chooses a port at its first start, and keeps it after that.
  let port = '0';
  const printed: string[] = [];
  let running: ChildProcess | null = null;
  let latest: ChildProcess | null = null;
  let control: Control | null = null;

  function run(): ChildProcess {
    const commands = pathToFileURL(join(product, 'service/control/preload.ts')).href;
    const preloads = [endsWithParent, ...(isControlled ? [commands] : [])];
    const imports = preloads.flatMap((preload) => ['--import', preload]);
    return spawn(nodeOf(product), [...v8Flags, ...imports, 'service/main.ts'], {
      cwd: product,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Without the caller's own settings: tests must not run on its DATABASE_URL.
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: join(product, 'node_modules/.cache/compiled'),
        PORT: port,
        DATA_DIR: dataDir,
        ...environment,
      },
    });
  }

  async function start(): Promise<void> {
    if (running !== null) return;
    const child = run();
    running = child;
    latest = child;
    control = isControlled ? controlOf(child) : null;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
    }
    port = (await untilReady(child, output)) || port;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async function destroy(): Promise<void> {
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }

  function output(): string {
    return printed.join('');
  }

  try {
    if (!isFirstStart && environment['ROLES'] !== 'web') await copyPreparedData(product, dataDir);
    await start();
  } catch (error) {
    await destroy();
    throw error;
  }
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    pid: () => latest?.pid ?? 0,
    output,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    exitCode: () => latest?.exitCode ?? null,
    get control() {
      return control;
    },
    destroy,
  };
}

/** The Node.js that the product brings with it. */
function nodeOf(product: string): string {
  const own = join(product, 'node_modules/.bin/node');
  return existsSync(own) ? own : process.execPath;
}

/**
 * Copies the data folder of a service that was started once, which takes seconds: it has its tables
 * then. It is kept between runs, for this version of the tables.
 */
async function copyPreparedData(product: string, dataDir: string): Promise<void> {
  const prepared = await preparedData(product);
  // Copying a thousand small files with promises takes much longer.
  cpSync(prepared, dataDir, { recursive: true });
}

async function preparedData(product: string): Promise<string> {
  const migrations = join(product, 'service/db/migrations');
  const engine = join(product, 'node_modules/@electric-sql/pglite/package.json');
  const scripts = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).toSorted();
  // Each user has a folder of their own: others cannot read it.
  const hash = createHash('sha256').update(String(process.getuid?.()));
  for (const file of [...scripts.map((name) => join(migrations, name)), engine]) {
    hash.update(await readFile(file));
  }
  const folder = join(tmpdir(), `messaging-prepared-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const server = await startServer({ product, isFirstStart: true });
  await server.stop();
  const unfinished = `${folder}-${randomUUID()}`;
  cpSync(server.dataDir, unfinished, { recursive: true });
  await server.destroy();
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another worker was faster.
    await rm(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** A token as the service creates it: random, with the checksum that the service expects. */
export function newToken(): string {
  const random = [...randomBytes(32)].map((byte) => digits.charAt(byte % 62)).join('');
  const body = `sk_live_${random}`;
  // Called on the module, because runtimes that only test a service elsewhere may lack it.
  let rest = zlib.crc32(body);
  let checksum = '';
  for (let place = 0; place < 6; place += 1) {
    checksum = digits.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return body + checksum;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Resolves once the process prints that it is ready, with the port on which it listens; empty if
 * the port was given.
 */
async function untilReady(child: ChildProcess, output: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}:\n${output()}`));
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address, chosen] = /^Ready: (\S+) \([^)]*\)(?:, port (\d+))?\n/m.exec(printed) ?? [];
      if (address !== undefined) resolve(chosen ?? new URL(address).port);
    });
    child.once('exit', () => fail('The service ended before it was ready'));
    const patience = AbortSignal.timeout(patienceMs);
    patience.addEventListener('abort', () => fail('The service is not ready'));
  });
}
