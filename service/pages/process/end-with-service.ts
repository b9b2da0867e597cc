import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Logger } from '../../log/log.ts';

/**
 * The standard input of this script closes when the service has ended, for whatever reason. A line
 * on it means that the dashboard process has ended and must not be killed: another process may have
 * its id by then. The script ignores signals to its process group, such as from Ctrl-C.
 */
const script = `
trap '' INT TERM HUP
read -r _ && exit
kill -9 "$1" 2>/dev/null
rm -rf "$2"
`;

/**
 * Makes sure that a process is killed and its folder removed once the service has ended. A process
 * that works notices that itself, but not one that hangs or has only begun to start. A shell
 * watches it: a thread in the process could do so too, but takes twenty times the memory.
 */
export function endWithService(
  child: ChildProcess,
  { folder, environment, log }: { folder: string; environment: NodeJS.ProcessEnv; log: Logger },
): void {
  // Without an id, the process did not start.
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
