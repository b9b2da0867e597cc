import { fork } from 'node:child_process';
import { nextMessage } from '../load/next-message.ts';

export type BareServer = { origin: string; pid: number; stop(): void };

/** Starts the yardstick of API calls in a separate process. */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(new URL('./bare-server.ts', import.meta.url));
  const port = await nextMessage<number>(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('the bare server has ended');
  return { origin: `http://127.0.0.1:${port}`, pid, stop: () => void child.kill() };
}
