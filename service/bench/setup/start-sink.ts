import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReceivedRequest, SinkMessage, SinkCommand } from './sink.ts';
import { nextMessage } from '../load/next-message.ts';

export type Sink = {
  /** Without a trailing slash. */
  origin: string;
  otherOrigin: string;
  /** The address of a name server that never responds, as `address:port`. */
  silentNameServer: string;
  /**
   * Waits until this many requests have arrived since the last `take`, under this path if one is
   * given.
   * @throws if none arrives for a minute
   */
  arrived(count: number, path?: string): Promise<void>;
  /** The requests that arrived since the last call. */
  take(): Promise<ReceivedRequest[]>;
  stop(): void;
};

const patienceMs = 60_000;

/** Starts a receiver in a separate process. */
export async function startSink(): Promise<Sink> {
  const child = fork(new URL('./sink.ts', import.meta.url));
  const received = async <Kind extends SinkMessage['kind']>(kind: Kind) => {
    const message = await nextMessage<SinkMessage>(child);
    if (message.kind !== kind) throw new Error(`the sink said ${message.kind}`);
    return message as Extract<SinkMessage, { kind: Kind }>;
  };
  const send = (command: SinkCommand) => void child.send(command);
  const { ports, nameServerPort } = await received('ports');

  return {
    origin: `http://127.0.0.1:${ports[0]}`,
    otherOrigin: `http://127.0.0.1:${ports[1]}`,
    silentNameServer: `127.0.0.1:${nameServerPort}`,
    async arrived(count, path) {
      let arrivedCount = -1;
      let grewAt = performance.now();
      for (;;) {
        send({ kind: 'count', path: path ?? null });
        const { count: countNow } = await received('count');
        if (countNow >= count) return;
        if (countNow > arrivedCount) grewAt = performance.now();
        else if (performance.now() - grewAt > patienceMs) {
          throw new Error(`${countNow} of ${count} arrived, and no more`);
        }
        arrivedCount = countNow;
        await pause(20);
      }
    },
    async take() {
      send({ kind: 'take' });
      return (await received('arrivals')).arrivals;
    },
    stop: () => void child.kill(),
  };
}
