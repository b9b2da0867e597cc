import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Calls that are sent in turn. */
export type Calls = {
  origin: string;
  method: 'GET' | 'POST';
  body?: string;
  calls: readonly { path: string; token: string }[];
  /** The status that every response must have. */
  status: number;
  seconds: number;
};

/** The input of the sending process: complete requests, byte for byte. */
export type CallsToSend = {
  port: number;
  requests: readonly string[];
  status: number;
  connections: number;
  seconds: number;
};

export type Sent = { responses: number; perSecond: number };

/**
 * Sends calls over 32 connections from a separate process.
 *
 * @throws if a response has another status
 */
export async function sendCalls(calls: Calls): Promise<Sent> {
  const { origin, status, seconds } = calls;
  const child = fork(new URL('./send-calls.ts', import.meta.url));
  child.send({
    port: Number(new URL(origin).port),
    requests: calls.calls.map((call) => writeRequest(calls, call)),
    status,
    connections: 32,
    seconds,
  } satisfies CallsToSend);
  const result = await nextMessage<Sent | { problem: string }>(child);
  child.kill();
  if ('problem' in result) throw new Error(`${calls.calls[0]?.path}: ${result.problem}`);
  return result;
}

function writeRequest({ origin, method, body }: Calls, call: Calls['calls'][number]): string {
  const lines = [
    `${method} ${call.path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Authorization: Bearer ${call.token}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/**
 * Waits for the next message of a child process.
 *
 * @template Message what it sends; nothing checks it, because both are one program
 */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}

/** Runs an act at a steady rate, whether or not earlier ones have ended; returns when each began. */
export async function pace(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  act: (number: number) => Promise<unknown>,
): Promise<Map<number, bigint>> {
  const began = new Map<number, bigint>();
  const start = performance.now();
  const acts: Promise<unknown>[] = [];
  for (let number = 1; number <= perSecond * seconds; number += 1) {
    const waitMs = start + (number * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    began.set(number, process.hrtime.bigint());
    acts.push(act(number));
  }
  await Promise.all(acts);
  return began;
}
