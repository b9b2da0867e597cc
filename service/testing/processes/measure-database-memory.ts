// Runs as a separate process: `node measure-database-memory.ts <folder> <whether V8 optimizes>`.
// Executes statements on the embedded database in a folder for so long that V8 optimizes it, if it
// may, and prints the peak of this process's memory in bytes.
import { PGlite } from '@electric-sql/pglite';
import { EmbeddedClient } from '../../db/embedded/client/embedded-client.ts';
import { loadValueTypes } from '../../db/embedded/client/value-types.ts';
import { startDatabaseThread } from '../../db/embedded/thread/start-database-thread.ts';

const [folder = '', isOptimized] = process.argv.slice(2);
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
const thread = await startDatabaseThread({
  folder,
  startParams,
  isOptimized: isOptimized === 'true',
});
const client = new EmbeddedClient(thread.send, await loadValueTypes(thread.send));
const end = performance.now() + 8000;
while (performance.now() < end) {
  await client.query('select sum(number % 7) from generate_series(1, 100000) as number');
}
await thread.close();
process.stdout.write(String(process.resourceUsage().maxRSS * 1024));
