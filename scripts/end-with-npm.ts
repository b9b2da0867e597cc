const checkMs = 500;

/**
 * Ends this process, as with a SIGTERM, when npm ends. A supervisor signals npm, and npm its shell,
 * but the shell dies without passing the signal on: the service would keep running and hold its
 * database.
 */
export function endWithNpm(): void {
  const shell = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, checkMs);
  watch.unref();
}
