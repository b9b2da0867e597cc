import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from '@electric-sql/pglite';
import type { PGlite, QueryOptions, Results } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { concatBytes } from './concat-bytes.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { readResults } from './read-results.ts';
import type { ReadResults } from './read-results.ts';
import type { Send } from './connection.ts';
import type { ValueTypes } from './value-types.ts';

const begin = command('begin');

type Query = (text: string, params?: unknown[], options?: QueryOptions) => Promise<Results<never>>;

type EmbeddedTransaction = { query: Query };

/**
 * A client of the embedded database, with the methods of PGlite that drizzle uses. It has one
 * connection. A statement outside a transaction is sent immediately, without waiting for the
 * results of earlier statements.
 */
export class EmbeddedClient {
  readonly #send: Send;
  readonly #statements: PreparedStatements;
  /** Held by an open transaction, and while a statement is prepared. Others wait their turn. */
  readonly #connection = new Mutex();
  /** `begin` is sent with the first statement of a transaction, which saves a round trip. */
  #isBeginDue = false;
  readonly #listeners = new Map<string, ((payload: string) => void)[]>();
  readonly #current = new AsyncLocalStorage<{ isOpen: boolean }>();

  constructor(send: Send, types: ValueTypes) {
    this.#send = send;
    this.#statements = new PreparedStatements((message) => this.#ask(message), types);
  }

  /** For drizzle, which calls only those methods of PGlite that this class has. */
  asPglite(): PGlite {
    return this as unknown as PGlite;
  }

  async query(text: string, params?: unknown[], options?: QueryOptions): Promise<Results<never>> {
    this.#refuseInsideTransaction();
    if (!this.#connection.isLocked() && this.#statements.isPrepared(text)) {
      return await this.#statements.run(text, params, options);
    }
    const release = await this.#connection.acquire();
    const isPrepared = this.#statements.isPrepared(text);
    const results = this.#statements.run(text, params, options);
    // A prepared statement has been sent by now, so the next one need not wait for its result.
    if (isPrepared) release();
    else results.then(release, release);
    return await results;
  }

  async transaction<Value>(act: (tx: EmbeddedTransaction) => Promise<Value>): Promise<Value> {
    this.#refuseInsideTransaction();
    const release = await this.#connection.acquire();
    const scope = { isOpen: true };
    // Statements run one after the other: while one is being prepared, no other may be.
    const statements = new Mutex();
    const query: Query = async (text, params, options) => {
      if (!scope.isOpen) throw new Error('The transaction has ended.');
      return await statements.runExclusive(() => this.#statements.run(text, params, options));
    };
    this.#isBeginDue = true;
    try {
      const value = await this.#current.run(scope, () => act({ query }));
      scope.isOpen = false;
      // Statements that nobody awaited belong to the transaction too, so it ends after them.
      await statements.runExclusive(() => this.#commit());
      return value;
    } catch (error) {
      scope.isOpen = false;
      await statements.runExclusive(async () => {
        if (!this.#isBeginDue) await this.#command('rollback');
      });
      throw error;
    } finally {
      this.#isBeginDue = false;
      release();
    }
  }

  /** Messages are executed in order, so it receives all that is published after this call. */
  async listen(channel: string, onMessage: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), onMessage]);
    await this.query(`listen "${channel.replaceAll('"', '""')}"`);
  }

  async #commit(): Promise<void> {
    const { commandTag } = await this.#command('commit');
    // PostgreSQL responds with this if a statement failed and the caller caught the error.
    if (commandTag === 'ROLLBACK') throw new Error('A statement failed: nothing was committed.');
  }

  async #command(text: string): Promise<ReadResults> {
    return await this.#ask(command(text));
  }

  async #ask(message: Uint8Array<ArrayBuffer>): Promise<ReadResults> {
    const result = this.#send(this.#isBeginDue ? concatBytes([begin, message]) : message);
    this.#isBeginDue = false;
    return readResults(await result, (channel, payload) => {
      for (const onMessage of this.#listeners.get(channel) ?? []) {
        queueMicrotask(() => {
          onMessage(payload);
        });
      }
    });
  }

  /** With one connection, a query outside the open transaction would wait for itself forever. */
  #refuseInsideTransaction(): void {
    if (this.#current.getStore()?.isOpen === true) {
      throw new Error('Inside a transaction only its own handle may be used.');
    }
  }
}

function command(text: string): Uint8Array<ArrayBuffer> {
  return concatBytes([serialize.query(text)]);
}
