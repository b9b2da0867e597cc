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
read -r _ && exit
kill -9 "$1" 2>/dev/null
rm -rf "$2"
`;

/**
 * Has a process killed and its folder removed once the service is gone. A process that works notices
 * that itself, one that hangs, or has only begun to start, does not. A shell watches over it: a thread
 * in the process would notice as well, but takes twenty times the memory.
 */
export function endWithService(
  child: ChildProcess,
  about: { folder: string; environment: NodeJS.ProcessEnv; log: Logger },
): void {
  const { folder, environment, log } = about;
  // Without an id it did not start.
  if (child.pid === undefined) return;
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), folder], {
    env: environment,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  watcher.on('error', (error) => {
    log.warn(
      { err: error },
      'no shell can be started: if the service is killed, the folder for the socket of the dashboard stays, and if the process that renders it hangs, that stays too',
    );
  });
  watcher.once('spawn', () => {
    watcher.stdin.on('error', () => undefined);
    child.once('exit', () => watcher.stdin.end('\n'));
  });
}
