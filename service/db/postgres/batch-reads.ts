import type { Socket } from 'node:net';
import type pg from 'pg';
import { isPreparedOnce } from '../prepared-texts.ts';

type Read = {
  config: pg.QueryConfig;
  values: unknown[];
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
};

/**
 * Sends the small reads of one turn of the event loop, those of `preparedOnce`, over one connection
 * at once, and takes up their results together. With a connection and a round trip for each, a call
 * that reads a list takes twice the processor time.
 *
 * While every reader is in use, reads wait and make up the next batch. Any other statement takes a
 * connection of `pool`: it may be slow, and what comes after it in a batch would wait for it.
 *
 * @param readers with `pipeline`, so that a connection takes a statement before it has answered the last
 */
export function batchReads(pool: pg.Pool, readers: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  let waiting: Read[] = [];
  let isPlanned = false;
  let batches = 0;

  function plan(): void {
    if (isPlanned || batches === readers.options.max) return;
    isPlanned = true;
    // By then all calls of this turn have come as far as their statement.
    process.nextTick(() => {
      isPlanned = false;
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
      plan();
    }
  }

  pool.query = ((config: unknown, ...others: unknown[]) => {
    const [values] = others;
    if (!isBatched(config) || !Array.isArray(values)) return query(config, ...others);
    return new Promise<pg.QueryResult>((resolve, reject) => {
      waiting.push({ config, values: values as unknown[], resolve, reject });
      plan();
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
  const answered = batch.map(async ({ config, values, resolve, reject }) => {
    await client.query(config, values).then(resolve, reject);
  });
  socket.uncork();
  await Promise.all(answered);
  client.release();
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

function isBatched(config: unknown): config is pg.QueryConfig {
  if (typeof config !== 'object' || config === null || !('text' in config)) return false;
  return typeof config.text === 'string' && isPreparedOnce(config.text);
}
