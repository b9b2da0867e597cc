import type { Socket } from 'node:net';
import type pg from 'pg';
import { isPreparedText } from '../statements/prepared-texts.ts';

type Read = {
  config: pg.QueryConfig;
  values: unknown[];
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
};

/**
 * Sends the small reads of one turn of the event loop, those of `preparedOnce`, together over one
 * connection. If each of them took its own connection and round trip, a call that reads a list
 * would take much more processor time.
 *
 * While every reader is in use, reads wait and form the next batch. All other statements use a
 * connection of `pool`: they may be slow, and later statements in a batch would wait for them.
 *
 * @param readers a pool with `pipeline`: its connections accept a statement before the last one has
 *   its result
 */
export function batchReads(pool: pg.Pool, readers: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  let waiting: Read[] = [];
  let isScheduled = false;
  let batches = 0;

  function schedule(): void {
    if (isScheduled || batches === readers.options.max) return;
    isScheduled = true;
    // By then all calls of this turn have issued their statement.
    process.nextTick(() => {
      isScheduled = false;
      if (waiting.length > 0) void send();
    });
  }

  async function send(): Promise<void> {
    const batch = waiting;
    waiting = [];
    batches += 1;
    try {
      await runBatch(readers, batch);
    } finally {
      batches -= 1;
      schedule();
    }
  }

  pool.query = ((config: unknown, ...others: unknown[]) => {
    const [values] = others;
    if (!isBatched(config) || !Array.isArray(values)) return query(config, ...others);
    return new Promise<pg.QueryResult>((resolve, reject) => {
      waiting.push({ config, values: values as unknown[], resolve, reject });
      schedule();
    });
  }) as typeof pool.query;
}

async function runBatch(readers: pg.Pool, batch: readonly Read[]): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await readers.connect();
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return;
  }
  const socket = socketOf(client);
  socket.cork();
  const settled = batch.map(async ({ config, values, resolve, reject }) => {
    try {
      resolve(await client.query(config, values));
    } catch (error) {
      reject(error);
    }
  });
  socket.uncork();
  await Promise.all(settled);
  client.release();
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function isBatched(config: unknown): config is pg.QueryConfig {
  if (typeof config !== 'object' || config === null || !('text' in config)) return false;
  return typeof config.text === 'string' && isPreparedText(config.text);
}
