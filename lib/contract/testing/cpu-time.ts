/**
 * How many milliseconds of this thread's time the call takes, however busy the machine is. The
 * least of three counts where the first is not quick: what the garbage collector or the compiler
 * had to do in between says nothing about the call.
 */
export function cpuMsOf(call: () => unknown): number {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least > quickMs; tries += 1) {
    const before = process.threadCpuUsage();
    call();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const quickMs = 5;
