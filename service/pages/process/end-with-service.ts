import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Logger } from '../../log/log.ts';

/**
 * Its standard input closes when the service is gone, however that ended. A line on it says that the
 * process ended before, and must not be killed: its id may be another's by then. Signals that others
 * of its group get, as from Ctrl-C, do not end it.
 */
const script = `
trap '' INT TERM HUP
read -r _ || kill -9 "$1"
`;

/**
 * Has a process killed once the service is gone. A process that works notices that itself, one that
 * hangs does not. A shell watches over it: a thread in the process would notice as well, but takes
 * twenty times the memory.
 */
export function endWithService(
  child: ChildProcess,
  { environment, log }: { environment: NodeJS.ProcessEnv; log: Logger },
): void {
  // Without an id it did not start.
  if (child.pid === undefined) return;
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid)], {
    env: environment,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', (error) => {
    log.warn(
      { err: error },
      'no shell can be started: if the service is killed while the process that renders the dashboard hangs, that process stays',
    );
  });
  watcher.once('spawn', () => {
    watcher.stdin.on('error', () => undefined);
    child.once('exit', () => watcher.stdin.end('\n'));
  });
}
