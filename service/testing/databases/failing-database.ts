import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '../../db/open.ts';

/** How a statement fails: it is refused, or it is executed and its answer is lost. */
export type Failure = 'refused' | 'answer_lost';

/**
 * The same database, on which chosen statements fail as they do when the connection breaks, or wait
 * before they are answered.
 */
export class FailingDatabase {
  readonly db: Db;
  /** Called for each statement: how it fails, or null. */
  fails: (statement: string) => Failure | null = () => null;
  /** How often a statement failed. */
  failures = 0;
  #heldBack: { pattern: RegExp; reached: () => void; answered: Promise<void> } | null = null;

  constructor(db: Db) {
    const dialect = new PgDialect();
    const execute = async (...[query]: Parameters<Db['execute']>) => {
      const statement = typeof query === 'string' ? query : dialect.sqlToQuery(query.getSQL()).sql;
      const failure = this.fails(statement);
      const answer = failure === 'refused' ? null : await db.execute(query);
      if (this.#heldBack?.pattern.test(statement)) await this.#holdBack();
      if (failure === null) return answer;
      this.failures += 1;
      throw new Error(`The connection broke (${failure}).`);
    };
    this.db = Object.create(db, { execute: { value: execute } }) as Db;
  }

  /**
   * Holds back the answer to the next statement that matches, which is carried out.
   *
   * @returns `reached` when it was carried out, and what lets its answer through
   */
  holdBackOnce(pattern: RegExp): { reached: Promise<void>; letThrough: () => void } {
    const reached = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    this.#heldBack = { pattern, reached: reached.resolve, answered: answered.promise };
    return { reached: reached.promise, letThrough: answered.resolve };
  }

  async #holdBack(): Promise<void> {
    const held = this.#heldBack;
    this.#heldBack = null;
    held?.reached();
    await held?.answered;
  }

  /** Lets the first statement that matches fail. */
  failOnce(pattern: RegExp, failure: Failure): void {
    const before = this.failures;
    this.fails = (statement) =>
      this.failures === before && pattern.test(statement) ? failure : null;
  }
}

/** Statements of a worker, recognised by words that no other statement contains. */
export const statementOf = {
  touch: /and case when owner is null/,
  claim: /due as materialized/,
  claimOrTouch: /free as materialized/,
  settle: /settled as \(/,
} as const;
