import { fork } from 'node:child_process';
import type { HttpLoad } from './http-client.ts';
import { writeRequest } from './own-client.ts';
import { nextMessage } from './next-message.ts';

/** Calls at a steady rate, whether or not earlier ones have their response. */
export type PacedCalls = Pick<HttpLoad, 'origin' | 'method' | 'calls' | 'seconds'> & {
  perSecond: number;
};

/** The input of the sending process: complete requests, which it sends in turn. */
export type PacedLoad = {
  port: number;
  requests: readonly string[];
  connections: number;
  perSecond: number;
  seconds: number;
};

/**
 * How many milliseconds each response took, by status, and how many seconds passed until the last
 * one.
 */
export type PacedResponses = { tookMs: Record<number, number[]>; seconds: number };

export type PacedResult = PacedResponses | { problem: string };

/**
 * More connections than calls that wait for a response at once. If none is free, the call waits as
 * well.
 */
const connections = 1000;

/** Sends the calls from a separate process. */
export async function sendPacedCalls(load: PacedCalls): Promise<PacedResponses> {
  const child = fork(new URL('./send-paced-calls.ts', import.meta.url));
  child.send({
    port: Number(new URL(load.origin).port),
    requests: load.calls.map((call) => writeRequest(load, call)),
    connections,
    perSecond: load.perSecond,
    seconds: load.seconds,
  } satisfies PacedLoad);
  const result = await nextMessage<PacedResult>(child);
  child.kill();
  if ('problem' in result) throw new Error(`${load.calls[0]?.path}: ${result.problem}`);
  return result;
}
