import { setTimeout as pause } from 'node:timers/promises';
import type { ReceivedRequest } from '../setup/sink.ts';

/** In milliseconds. */
export type Latency = { count: number; p50: number; p99: number; max: number };

/**
 * Runs an act at a steady rate, whether or not earlier ones have ended; returns when each began.
 */
export async function pace(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  act: (number: number) => Promise<void>,
): Promise<Map<number, bigint>> {
  const began = new Map<number, bigint>();
  const start = performance.now();
  const under: Promise<void>[] = [];
  const total = perSecond * seconds;
  for (let number = 1; number <= total; number += 1) {
    const waitMs = start + (number * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    began.set(number, process.hrtime.bigint());
    under.push(act(number));
  }
  await Promise.all(under);
  return began;
}

/** How long each took from its start to its first arrival under a path. */
export function latencyOf(
  began: ReadonlyMap<number, bigint>,
  arrivals: readonly ReceivedRequest[],
  path: string,
): Latency {
  const tookMs = new Map<number, number>();
  for (const [number, arrivedAt, at] of arrivals) {
    const from = began.get(number);
    if (arrivedAt !== path || from === undefined || tookMs.has(number)) continue;
    tookMs.set(number, Number(BigInt(at) - from) / 1e6);
  }
  if (tookMs.size !== began.size) throw new Error(`${began.size - tookMs.size} did not arrive`);
  const all = [...tookMs.values()];
  return {
    count: all.length,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    max: Math.max(...all),
  };
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
