// Run as a process of its own: `node --expose-gc measure-kept-memory.ts <url that refuses connections>`.
// Prints what an attempt comes to, and how many bytes of the heap each leaves behind.
import { setImmediate } from 'node:timers/promises';
import { TestSender } from '../delivery/sender.ts';

const [url = ''] = process.argv.slice(2);
/** Enough for what else changes in the heap meanwhile to weigh little. */
const attempts = 15_000;
const sender = new TestSender();

await attemptOften(4000);
const before = await heapBytes();
await attemptOften(attempts);
const keptBytes = ((await heapBytes()) - before) / attempts;
const kind = (await sender.send(url)).error?.kind;
await sender.close();

process.stdout.write(JSON.stringify({ kind, keptBytes }));

async function attemptOften(times: number): Promise<void> {
  for (let made = 0; made < times; made += 50) {
    await Promise.all(Array.from({ length: 50 }, async () => await sender.send(url)));
  }
}

/** Once what nobody refers to is collected, also what finalizers held. */
async function heapBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
