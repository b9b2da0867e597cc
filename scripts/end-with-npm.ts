const checkMs = 500;

/**
 * Ends this process as a SIGTERM would when npm ends. A supervisor signals npm, npm its shell, and
 * that shell dies without passing the signal on: the service would run on and hold its database.
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
