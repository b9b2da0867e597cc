/**
 * How many milliseconds of this thread's time the call takes, however busy the machine is. Returns
 * the minimum of ten runs, or the first below `enoughMs`: time for the garbage collector, the
 * compiler or another thread on the same core says nothing about the call.
 */
export function cpuMsOf(call: () => unknown, enoughMs: number): number {
  let least = Infinity;
  for (let tries = 0; tries < 10 && least >= enoughMs; tries += 1) {
    const before = process.threadCpuUsage();
    call();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
