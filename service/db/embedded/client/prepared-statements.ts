import type { QueryOptions, Results } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { maxPreparedStatements, maxPreparedTextLength } from '../../statements/prepared-limits.ts';
import { concatBytes } from './concat-bytes.ts';
import type { ReadResults } from './read-results.ts';
import type { Parser, Serializer, ValueTypes } from './value-types.ts';

type Prepared = {
  name: string;
  /** For each parameter, the function that converts a value to PostgreSQL's text. */
  serializers: Serializer[];
  /** For each column, its name and the function that parses PostgreSQL's text. */
  columns: Column[];
};

type Column = { name: string; dataTypeID: number; parse: Parser };

/**
 * Makes the database parse and describe each statement once, and then runs it with one message.
 * PGlite's own `query` prepares every statement again in six messages.
 */
export class PreparedStatements {
  readonly #ask: (message: Uint8Array<ArrayBuffer>) => Promise<ReadResults>;
  readonly #types: ValueTypes;
  /** By text, in order of use: the last entry was used most recently. */
  readonly #prepared = new Map<string, Prepared>();
  #named = 0;

  constructor(ask: (message: Uint8Array<ArrayBuffer>) => Promise<ReadResults>, types: ValueTypes) {
    this.#ask = ask;
    this.#types = types;
  }

  isPrepared(text: string): boolean {
    return this.#prepared.has(text);
  }

  /** If the statement is prepared, it is sent before this function returns its promise. */
  async run(
    text: string,
    params: unknown[] = [],
    { rowMode, parsers }: QueryOptions = {},
  ): Promise<Results<never>> {
    const statement = this.#prepared.get(text) ?? (await this.#prepare(text, parsers));
    this.#keep(text, statement);
    const { name, serializers, columns } = statement;
    const values = params.map((value, place) =>
      value === null || value === undefined ? null : (serializers[place] ?? String)(value),
    );
    const results = await this.#ask(
      concatBytes([
        serialize.bind({ statement: name, values }),
        serialize.execute({}),
        serialize.sync(),
      ]),
    );
    return readResults(results, columns, rowMode === 'array');
  }

  /** Uses the parsers of the first caller: drizzle passes the same ones with each query. */
  async #prepare(text: string, ownParsers: QueryOptions['parsers']): Promise<Prepared> {
    const isKept = text.length <= maxPreparedTextLength;
    const name = isKept ? `s${(this.#named += 1)}` : '';
    const { parameterTypes, columns } = await this.#ask(
      concatBytes([
        ...this.#closeOldest(),
        serialize.parse({ name, text }),
        serialize.describe({ type: 'S', name }),
        serialize.sync(),
      ]),
    );
    const { serializers, parsers } = this.#types;
    return {
      name,
      serializers: parameterTypes.map((id) => serializers[id] ?? String),
      columns: columns.map(({ name: column, dataTypeID }) => ({
        name: column,
        dataTypeID,
        parse: ownParsers?.[dataTypeID] ?? parsers[dataTypeID] ?? String,
      })),
    };
  }

  #keep(text: string, statement: Prepared): void {
    if (statement.name === '') return;
    this.#prepared.delete(text);
    this.#prepared.set(text, statement);
  }

  *#closeOldest(): Generator<Uint8Array> {
    for (const [text, { name }] of this.#prepared) {
      if (this.#prepared.size < maxPreparedStatements) return;
      this.#prepared.delete(text);
      yield serialize.close({ type: 'S', name });
    }
  }
}

function readResults(
  { rows, commandTag }: ReadResults,
  columns: Column[],
  isInArrays: boolean,
): Results<never> {
  const read = (row: (string | null)[]) =>
    columns.map(({ parse, dataTypeID }, place) => {
      const text = row[place] ?? null;
      return text === null ? null : parse(text, dataTypeID);
    });
  const inObject = (values: unknown[]) =>
    Object.fromEntries(columns.map(({ name }, place) => [name, values[place]]));
  return {
    rows: rows.map((row) => (isInArrays ? read(row) : inObject(read(row)))) as never[],
    fields: columns.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    affectedRows: /^(?:INSERT|UPDATE|DELETE|MERGE)/.test(commandTag)
      ? Number(/\d+$/.exec(commandTag))
      : 0,
  };
}
