import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '../../db/open.ts';

/** How a statement fails: it is refused, or it runs and its response is lost. */
export type Failure = 'refused' | 'answer_lost';

/**
 * The same database, on which chosen statements fail as with a broken connection, or are delayed
 * before their response.
 */
export class FailingDatabase {
  readonly db: Db;
  /** Called for each statement; returns how it fails, or null. */
  fails: (statement: string) => Failure | null = () => null;
  /** Called and awaited before each statement. */
  before: (statement: string) => Promise<void> = async () => undefined;
  /** How often a statement failed. */
  failures = 0;
  #heldBack: { pattern: RegExp; reached: () => void; released: Promise<void> } | null = null;

  constructor(db: Db) {
    const dialect = new PgDialect();
    const execute = async (...[query]: Parameters<Db['execute']>) => {
      const statement = typeof query === 'string' ? query : dialect.sqlToQuery(query.getSQL()).sql;
      await this.before(statement);
      const failure = this.fails(statement);
      const result = failure === 'refused' ? null : await db.execute(query);
      if (this.#heldBack?.pattern.test(statement)) await this.#holdBack();
      if (failure === null) return result;
      this.failures += 1;
      throw new Error(`The connection broke (${failure}).`);
    };
    this.db = Object.create(db, { execute: { value: execute } }) as Db;
  }

  /**
   * Runs the next statement that matches, but holds back its response.
   *
   * @returns `reached` resolves when the statement has run; `letThrough` releases its response
   */
  holdBackOnce(pattern: RegExp): { reached: Promise<void>; letThrough: () => void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#heldBack = { pattern, reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, letThrough: released.resolve };
  }

  async #holdBack(): Promise<void> {
    const held = this.#heldBack;
    this.#heldBack = null;
    held?.reached();
    await held?.released;
  }

  /** Makes the first matching statement fail. */
  failOnce(pattern: RegExp, failure: Failure): void {
    const before = this.failures;
    this.fails = (statement) =>
      this.failures === before && pattern.test(statement) ? failure : null;
  }
}

/** Statements of a worker, recognized by words that no other statement contains. */
export const statementOf = {
  wake: /or lanes.xmax <> 0/,
  claim: /due as materialized/,
  claimOrWake: /free as materialized/,
  complete: /completed_deliveries as \(/,
} as const;
