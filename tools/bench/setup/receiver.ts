import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { nextMessage } from '../load/calls.ts';
import { percentile } from '../measure.ts';
import type { ReceiverMessage } from './receive.ts';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver of webhooks in a separate process: see `receive.ts`. */
export async function startReceiver() {
  const child = fork(new URL('./receive.ts', import.meta.url));
  const { port } = await nextMessage<ReceiverMessage>(child);
  const ask = async (command: 'count' | 'take', path?: string) => {
    child.send({ command, path });
    return await nextMessage<ReceiverMessage>(child);
  };
  /** The requests that arrived since the last call. */
  const take = async () => (await ask('take')).arrivals ?? [];
  /**
   * Waits until this many requests have arrived since the last `take`, under this path if given.
   *
   * @throws if none arrives for a minute
   */
  const arrived = async (count: number, path?: string): Promise<void> => {
    let [seen, grewAt] = [-1, performance.now()];
    for (;;) {
      const { count: now = 0 } = await ask('count', path);
      if (now >= count) return;
      if (now > seen) [seen, grewAt] = [now, performance.now()];
      else if (performance.now() - grewAt > 60_000) throw new Error(`${now} of ${count} arrived`);
      await pause(20);
    }
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    take,
    arrived,
    /** The p99 of the time from an act until its first request under this path, in milliseconds. */
    async p99(path: string, began: ReadonlyMap<number, bigint>) {
      await arrived(began.size, path);
      const tookMs = new Map<number, number>();
      for (const [number, arrivedAt, at] of await take()) {
        const from = began.get(number);
        if (arrivedAt !== path || from === undefined || tookMs.has(number)) continue;
        tookMs.set(number, Number(BigInt(at) - from) / 1e6);
      }
      if (tookMs.size !== began.size) throw new Error(`${began.size - tookMs.size} did not arrive`);
      return percentile([...tookMs.values()], 0.99);
    },
    stop: () => void child.kill(),
  };
}
