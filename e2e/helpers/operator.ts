import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Environment, Server } from 'conversation-service-playwright-kit';

/** The exit code of a process, and all that it printed. */
export type Ended = { exitCode: number | null; output: string };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `npm run admin` on the server's data, and returns its output if it succeeds. */
export async function runAdmin(server: Server, ...args: string[]): Promise<string> {
  const { exitCode, output } = await run(server, { file: 'scripts/admin.ts', args });
  if (exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${output}`);
  return output;
}

/** Starts a second service on the server's data, which must fail. */
export async function startSecond(server: Server, environment: Environment): Promise<Ended> {
  return await run(server, { file: 'service/main.ts', args: [], environment });
}

async function run(
  { dataDir }: Server,
  { file, args, environment }: { file: string; args: readonly string[]; environment?: Environment },
): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      PORT: '0',
      DATA_DIR: dataDir,
      ...environment,
    },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await ended;
  return { exitCode, output: printed.join('') };
}
