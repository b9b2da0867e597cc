import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { tables } from '../../db/schema/tables.ts';

/** A statement, and how many blocks of 8 KiB PostgreSQL touches for it. */
export type Explained = { statement: string; blocks: number };

type Plan = {
  'Node Type': string;
  'Subplan Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
};

/**
 * A database handle on one connection, and what PostgreSQL does for each statement that is asked of
 * it. A statement is first explained as it is carried out, which is undone, and then carried out.
 */
export async function explainStatements(database: OpenDatabase): Promise<{
  db: Db;
  explained: Explained[];
  /** Whether statements are planned as they would be if every table were large. */
  planAsIfLarge: (isOn: boolean) => Promise<void>;
  close: () => void;
}> {
  const { $client: pool } = database.db as unknown as { $client: Pool };
  const client = await pool.connect();
  const explaining = new ExplainingClient(client);
  return {
    db: drizzle(explaining as unknown as Pool, { schema: tables }),
    explained: explaining.explained,
    async planAsIfLarge(isOn) {
      for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
        await client.query(`set enable_${way} = ${isOn ? 'off' : 'on'}`);
      }
    },
    close: () => client.release(),
  };
}

class ExplainingClient {
  readonly explained: Explained[] = [];
  readonly #client: PoolClient;
  #isInTransaction = false;
  /** One after the other, for each takes several messages. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async query(config: { text: string }, values: unknown[] = []): Promise<unknown> {
    const answer = this.#last.then(() => this.#run(config, values));
    this.#last = answer.catch(() => undefined);
    return await answer;
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
    const { rows } = await this.#client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      values,
    );
    await this.#client.query(undo);
    const [found] = rows;
    if (!found) throw new Error('there is no plan');
    this.explained.push({ statement, blocks: blocksOf(found['QUERY PLAN'][0].Plan) });
  }
}

/** A part that writes may be carried out after all others, and is then not counted with them. */
function blocksOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] + blocksOfWrites(plan);
}

function blocksOfWrites({ Plans: parts = [] }: Plan): number {
  return parts.reduce((sum, part) => {
    const isWrite = part['Node Type'] === 'ModifyTable' && part['Subplan Name'] !== undefined;
    return sum + (isWrite ? blocksOf(part) : blocksOfWrites(part));
  }, 0);
}
