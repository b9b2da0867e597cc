// `npm run dev`: Next reloads the dashboard by itself; this script restarts the service when its
// code changes. `node --watch` would also watch the chunks that Next compiles, and restart after
// each.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithNpm } from './end-with-npm.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const settleMs = 100;
let service = start();
let isRestarting = false;
let timer: NodeJS.Timeout | undefined;

for (const folder of ['service', 'lib/contract']) {
  watch(`${root}/${folder}`, { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|sql|json)$/.test(file) || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => void restart(file), settleMs);
  });
}
endWithNpm();
process.on('SIGINT', (signal) => void stop(signal));
process.on('SIGTERM', (signal) => void stop(signal));

function start(): ChildProcess {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'development',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  return spawn(process.execPath, ['service/main.ts'], { cwd: root, stdio: 'inherit', env });
}

async function restart(file: string): Promise<void> {
  if (isRestarting || !existsSync(`${root}/service/main.ts`)) return;
  isRestarting = true;
  console.log(`${file} changed: restarting the service`);
  await end('SIGTERM');
  service = start();
  isRestarting = false;
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  await end(signal);
  process.exit(service.exitCode ?? 0);
}

/** The next process may start only after this one: only one can lock the database folder. */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const gone = once(service, 'exit');
  service.kill(signal);
  await gone;
}
