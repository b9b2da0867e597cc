import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type RunningProcess = {
  /** The first group of the match of `says`. */
  said: string;
  end: () => Promise<void>;
};

type Options = {
  /** The output that says that the program is ready; some programs print none. */
  says?: RegExp;
  environment?: Record<string, string>;
};

const patienceMs = 60_000;

/**
 * Starts a program, and resolves once it prints that it is ready. Its times are in UTC and its
 * messages in English.
 */
export async function startProcess(
  program: string,
  args: readonly string[],
  { says, environment = {} }: Options,
): Promise<RunningProcess> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that all processes of a browser end together.
    detached: true,
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8', ...environment },
  });
  const ready = Promise.withResolvers<string>();
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, said] = says?.exec(printed) ?? [];
      if (said !== undefined) ready.resolve(said);
    });
  }
  const fail = (what: string) => ready.reject(new Error(`${program} ${what}:\n${printed}`));
  child.once('error', ({ message }) => fail(`does not start (${message})`));
  child.once('exit', () => fail('ended before it was ready'));
  if (says === undefined) child.once('spawn', () => ready.resolve(''));
  AbortSignal.timeout(patienceMs).addEventListener('abort', () => fail('is not ready'));

  async function end(): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  try {
    return { said: await ready.promise, end };
  } catch (error) {
    await end();
    throw error;
  }
}
