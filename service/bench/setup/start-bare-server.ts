import { fork } from 'node:child_process';
import { once } from 'node:events';

export type BareServer = { origin: string; stop(): void };

/** Starts the yardstick of calls in a process of its own. */
export async function startBareServer(): Promise<BareServer> {
  const child = fork(new URL('./bare-server.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
