// Runs as a separate process: `node --expose-gc measure-kept-memory.ts <url that refuses
// connections>`. Prints the result of an attempt, and how many bytes of the heap each attempt
// leaves behind.
import { setImmediate } from 'node:timers/promises';
import { TestSender } from '../delivery/sender.ts';

const [url = ''] = process.argv.slice(2);
const attempts = 3000;
const sender = new TestSender();

await attemptOften(2000);
// A leak grows the heap in every round; compiled code and other changes do so in one of them.
const rounds: number[] = [];
for (let round = 0; round < 4; round += 1) {
  const before = await heapBytes();
  await attemptOften(attempts);
  rounds.push(((await heapBytes()) - before) / attempts);
}
const keptBytes = Math.min(...rounds);
const kind = (await sender.send(url)).error?.kind;
await sender.close();

process.stdout.write(JSON.stringify({ kind, keptBytes }));

async function attemptOften(times: number): Promise<void> {
  for (let made = 0; made < times; made += 50) {
    await Promise.all(Array.from({ length: 50 }, async () => await sender.send(url)));
  }
}

/**
 * The size of the heap after all unreferenced objects are collected, including those held by
 * finalizers.
 */
async function heapBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
