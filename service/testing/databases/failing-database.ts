import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '../../db/open.ts';

/** How a statement fails: it is refused, or it is executed and its answer is lost. */
export type Failure = 'refused' | 'answer_lost';

/** The same database, on which chosen statements fail as they do when the connection breaks. */
export class FailingDatabase {
  readonly db: Db;
  /** Called for each statement: how it fails, or null. */
  fails: (statement: string) => Failure | null = () => null;
  /** How often a statement failed. */
  failures = 0;

  constructor(db: Db) {
    const dialect = new PgDialect();
    const execute = async (...[query]: Parameters<Db['execute']>) => {
      const statement = typeof query === 'string' ? query : dialect.sqlToQuery(query.getSQL()).sql;
      const failure = this.fails(statement);
      const answer = failure === 'refused' ? null : await db.execute(query);
      if (failure === null) return answer;
      this.failures += 1;
      throw new Error(`The connection broke (${failure}).`);
    };
    this.db = Object.create(db, { execute: { value: execute } }) as Db;
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
  touch: /untouched as materialized/,
  claim: /due as materialized/,
  claimFree: /free as materialized/,
  settle: /settled as \(/,
} as const;
