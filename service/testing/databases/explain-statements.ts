import { drizzle } from 'drizzle-orm/node-postgres';
import { escapeLiteral } from 'pg';
import type { Pool, PoolClient } from 'pg';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { tables } from '../../db/schema/tables.ts';

/** A statement, and how many blocks of 8 KiB PostgreSQL touches to run it. */
export type Explained = { statement: string; blocks: number };

type Plan = {
  'Node Type': string;
  'Subplan Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
};

/**
 * A database handle on one connection that records what PostgreSQL does for each statement. Each
 * statement is first run with `explain analyze` and rolled back, and then run normally. It is
 * explained with its generic plan, the one that a connection keeps for a frequent statement.
 */
export async function explainStatements(database: OpenDatabase): Promise<{
  db: Db;
  explained: Explained[];
  /** Sets whether statements are planned as if every table were large. */
  planAsIfLarge: (isOn: boolean) => Promise<void>;
  close: () => Promise<void>;
}> {
  const { $client: pool } = database.db as unknown as { $client: Pool };
  const client = await pool.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
  const explaining = new ExplainingClient(client);
  return {
    db: drizzle(explaining as unknown as Pool, { schema: tables }),
    explained: explaining.explained,
    async planAsIfLarge(isOn) {
      for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
        await client.query(`set enable_${way} = ${isOn ? 'off' : 'on'}`);
      }
    },
    async close() {
      await client.query('reset all');
      client.release();
    },
  };
}

class ExplainingClient {
  readonly explained: Explained[] = [];
  readonly #client: PoolClient;
  #isInTransaction = false;
  /** Statements run one after the other, because each takes several messages. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async query(config: { text: string }, values: unknown[] = []): Promise<unknown> {
    const result = this.#last.then(() => this.#run(config, values));
    this.#last = result.catch(() => undefined);
    return await result;
  }

  async #run(config: { text: string }, values: unknown[]): Promise<unknown> {
    const [, word] = /^\s*(\w+)/.exec(config.text.toLowerCase()) ?? [];
    if (word === 'begin') this.#isInTransaction = true;
    if (word === 'commit' || word === 'rollback') this.#isInTransaction = false;
    if (/^(?:with|select|insert|update|delete)$/.test(word ?? '')) {
      await this.#explain(config.text, values);
    }
    return await this.#client.query(config, values);
  }

  async #explain(statement: string, values: unknown[]): Promise<void> {
    const [begin, undo] = this.#isInTransaction
      ? ['savepoint explained', 'rollback to savepoint explained']
      : ['begin', 'rollback'];
    await this.#client.query(begin);
    await this.#client.query(`prepare explained as ${statement}`);
    const { rows } = await this.#client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute explained ${argumentsOf(values)}`,
    );
    await this.#client.query(undo);
    await this.#client.query('deallocate explained');
    const [found] = rows;
    if (!found) throw new Error('there is no plan');
    this.explained.push({ statement, blocks: blocksOf(found['QUERY PLAN'][0].Plan) });
  }
}

/** `execute` takes no parameters, so values are written as literals. */
function argumentsOf(values: readonly unknown[]): string {
  return values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (typeof value === 'string') return escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return escapeLiteral(`{${value.join(',')}}`);
  throw new Error(`a ${typeof value} is written by no statement so far`);
}

/**
 * A part that writes may run after all others. Its blocks are then not included in those of the
 * whole plan, and are added here.
 */
function blocksOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] + blocksOfWrites(plan);
}

function blocksOfWrites({ Plans: parts = [] }: Plan): number {
  return parts.reduce((sum, part) => {
    const isWrite = part['Node Type'] === 'ModifyTable' && part['Subplan Name'] !== undefined;
    return sum + (isWrite ? blocksOf(part) : blocksOfWrites(part));
  }, 0);
}
