import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '../../db/open.ts';

/** What becomes of a statement: it is refused, or carried out and its answer lost. */
export type Failure = 'refused' | 'answer_lost';

/** The same database with single statements that fail as they do when its connection breaks. */
export class FailingDatabase {
  readonly db: Db;
  /** Asked for each statement: how it fails, or null. */
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

/** Statements of a worker, by words that stand in no other. */
export const statementOf = {
  touch: /untouched as materialized/,
  claim: /due as materialized/,
  settle: /settled as \(/,
} as const;
