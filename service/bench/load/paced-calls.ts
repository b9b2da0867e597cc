import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { HttpLoad } from './http-client.ts';
import { writeRequest } from './own-client.ts';

/** Calls made at a steady rate, whether or not those before them were answered. */
export type PacedCalls = Pick<HttpLoad, 'origin' | 'method' | 'calls' | 'seconds'> & {
  perSecond: number;
};

/** What the process that sends is told: whole requests, which it sends in turn. */
export type PacedLoad = {
  port: number;
  requests: readonly string[];
  connections: number;
  perSecond: number;
  seconds: number;
};

/** How many milliseconds each response took, by its status, and how long it was until the last one. */
export type Answered = { tookMs: Record<number, number[]>; seconds: number };

export type PacedResult = Answered | { problem: string };

/** More than are waiting for a response at once; a call for which none is free waits as well. */
const connections = 1000;

/** Sends them from a process of its own. */
export async function sendPacedCalls(load: PacedCalls): Promise<Answered> {
  const child = fork(new URL('./send-paced-calls.ts', import.meta.url));
  child.send({
    port: Number(new URL(load.origin).port),
    requests: load.calls.map((call) => writeRequest(load, call)),
    connections,
    perSecond: load.perSecond,
    seconds: load.seconds,
  } satisfies PacedLoad);
  const [result] = (await once(child, 'message')) as [PacedResult];
  child.kill();
  if ('problem' in result) throw new Error(`${load.calls[0]?.path}: ${result.problem}`);
  return result;
}
