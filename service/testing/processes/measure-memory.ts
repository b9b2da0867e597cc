// Runs as a separate process: `node measure-memory.ts <url of a small response> <url of a big
// one>…`. Prints for each of the big ones its result, and how many bytes the peak of this process's
// memory grew until then. The memory that a response leaves behind counts for the later ones too.
import { TestSender } from '../delivery/sender.ts';

const [small = '', ...big] = process.argv.slice(2);
const sender = new TestSender({}, { timeoutMs: 15_000 });

for (let times = 0; times < 20; times += 1) await sender.send(small);
const before = process.memoryUsage.rss();
const peakBefore = process.resourceUsage().maxRSS * 1024;
let highest = before;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 1);
const measured = [];
for (const url of big) {
  const result = await sender.send(url);
  // The system's own record includes peaks between two measurements, but only above the peak of the
  // start.
  const peak = process.resourceUsage().maxRSS * 1024;
  highest = Math.max(highest, process.memoryUsage.rss(), peak > peakBefore ? peak : 0);
  measured.push({ kind: result.error?.kind, grownBytes: highest - before });
}
clearInterval(watch);
await sender.close();

process.stdout.write(JSON.stringify(measured));
