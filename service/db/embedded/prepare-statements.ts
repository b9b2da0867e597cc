import { protocol } from '@electric-sql/pglite';
import type { messages, PGlite, QueryOptions, Results, Transaction } from '@electric-sql/pglite';
import { parseRowsQuickly } from './parse-rows.ts';

/** How many statements stay prepared; each holds some 50 KB of the database's memory. */
export const mostPrepared = 300;
/** Longer ones are of many rows or many ids, and seldom come twice. */
const longestPreparedText = 8000;

type Prepared = {
  name: string;
  /** For each parameter, what makes PostgreSQL's text of a value. */
  serializers: ((value: unknown) => string)[];
  /** For each column, its name and what reads PostgreSQL's text. */
  columns: Column[];
};

type Column = { name: string; dataTypeID: number; parse: (text: string, type: number) => unknown };

type Ask = (text: string, params?: unknown[], options?: QueryOptions) => Promise<Results<never>>;

/**
 * Lets the database parse and describe each statement once, and sends what runs it again in one
 * message. PGlite's own `query` prepares every statement anew in six messages, which was half of the
 * time of a small one.
 */
export function prepareStatements(pglite: PGlite): void {
  parseRowsQuickly();
  const statements = new PreparedStatements(pglite);
  const transaction = pglite.transaction.bind(pglite);

  pglite.query = (async (text, params, options) =>
    // oxlint-disable-next-line no-underscore-dangle -- PGlite's queue of transactions has no other name
    await pglite._runExclusiveTransaction(async () => {
      const results = await statements.run(text, params, options);
      await pglite.syncToFs();
      return results;
    })) as Ask as PGlite['query'];
  pglite.transaction = async (act) =>
    await transaction(async (tx) => {
      const run: Ask = async (text, params, options) => {
        if (tx.closed) throw new Error('The transaction has ended.');
        return await statements.run(text, params, options);
      };
      tx.query = run as Transaction['query'];
      return await act(tx);
    });
}

class PreparedStatements {
  readonly #pglite: PGlite;
  /** By text; the one that was used last stands last. */
  readonly #prepared = new Map<string, Prepared>();
  #named = 0;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async run(
    text: string,
    params: unknown[] = [],
    { rowMode, parsers }: QueryOptions = {},
  ): Promise<Results<never>> {
    return await this.#pglite.runExclusive(async () => {
      const statement = this.#prepared.get(text) ?? (await this.#prepare(text, parsers));
      this.#keep(text, statement);
      const { name, serializers, columns } = statement;
      const values = params.map((value, place) =>
        value === null || value === undefined ? null : (serializers[place] ?? String)(value),
      );
      const answers = await this.#pglite.execProtocolStream(
        concat([
          protocol.serialize.bind({ statement: name, values }),
          protocol.serialize.execute({}),
          protocol.serialize.sync(),
        ]),
        { syncToFs: false },
      );
      return readResults(answers, columns, rowMode === 'array');
    });
  }

  /** With the parsers of who asks first: drizzle sends the same ones with each query. */
  async #prepare(text: string, ownParsers: QueryOptions['parsers']): Promise<Prepared> {
    const isKept = text.length <= longestPreparedText;
    const name = isKept ? `s${(this.#named += 1)}` : '';
    const answers = await this.#pglite.execProtocolStream(
      concat([
        ...this.#closeOldest(),
        protocol.serialize.parse({ name, text }),
        protocol.serialize.describe({ type: 'S', name }),
        protocol.serialize.sync(),
      ]),
      { syncToFs: false },
    );
    const { serializers } = this.#pglite;
    const parserOf = (id: number) => ownParsers?.[id] ?? this.#pglite.parsers[id] ?? String;
    const prepared: Prepared = { name, serializers: [], columns: [] };
    for (const answer of answers) {
      if (answer.name === 'parameterDescription') {
        const { dataTypeIDs } = answer as messages.ParameterDescriptionMessage;
        prepared.serializers = dataTypeIDs.map((id) => serializers[id] ?? String);
      }
      if (answer.name === 'rowDescription') {
        const { fields } = answer as messages.RowDescriptionMessage;
        prepared.columns = fields.map(({ name: column, dataTypeID }) => ({
          name: column,
          dataTypeID,
          parse: parserOf(dataTypeID),
        }));
      }
    }
    return prepared;
  }

  #keep(text: string, statement: Prepared): void {
    if (statement.name === '') return;
    this.#prepared.delete(text);
    this.#prepared.set(text, statement);
  }

  *#closeOldest(): Generator<Uint8Array> {
    for (const [text, { name }] of this.#prepared) {
      if (this.#prepared.size < mostPrepared) return;
      this.#prepared.delete(text);
      yield protocol.serialize.close({ type: 'S', name });
    }
  }
}

function readResults(
  answers: { name: string }[],
  columns: Column[],
  isInArrays: boolean,
): Results<never> {
  const rows: unknown[] = [];
  let affectedRows = 0;
  for (const answer of answers) {
    if (answer.name === 'dataRow') {
      const { fields } = answer as messages.DataRowMessage;
      const values = columns.map(({ parse, dataTypeID }, place) => {
        const text = fields[place] ?? null;
        return text === null ? null : parse(text, dataTypeID);
      });
      rows.push(
        isInArrays
          ? values
          : Object.fromEntries(columns.map(({ name }, place) => [name, values[place]])),
      );
    }
    if (answer.name === 'commandComplete') {
      const { text } = answer as messages.CommandCompleteMessage;
      affectedRows = /^(?:INSERT|UPDATE|DELETE|MERGE)/.test(text) ? Number(/\d+$/.exec(text)) : 0;
    }
  }
  const fields = columns.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
  return { rows: rows as never[], fields, affectedRows };
}

function concat(parts: Iterable<Uint8Array>): Uint8Array {
  return Buffer.concat([...parts]);
}
