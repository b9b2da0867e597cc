import type { Db, OpenDatabase } from '../../db/open.ts';
import type { LaneNotifier } from '../lanes/lane-notifier.ts';
import { insertFilteredMessages, insertMessages } from './store/insert-messages.ts';
import type { InsertedMessage, NewMessage } from './store/insert-messages.ts';
import { withCauses, errorCode } from '../../error-code.ts';

/**
 * Limits on groups of messages: how many one statement writes, after how many milliseconds the next
 * statement begins while a slow one is in progress, and how many statements run at the same time.
 */
type GroupLimits = { maxMessages: number; patienceMs: number; maxConcurrent: number };

export const groupLimits: Readonly<Record<OpenDatabase['engine'], GroupLimits>> = {
  postgresql: { maxMessages: 64, patienceMs: 20, maxConcurrent: 4 },
  // PGlite has one connection: a second statement would only wait, and contain fewer messages.
  pglite: { maxMessages: 64, patienceMs: 20, maxConcurrent: 1 },
};

type Write = {
  message: NewMessage;
  resolve: (inserted: InsertedMessage) => void;
  reject: (error: unknown) => void;
};

/**
 * Writes messages in groups. A single message is written immediately. While a statement is running,
 * further messages of any account gather, and one statement writes them all: this takes a fraction
 * of the time of separate statements, and one commit. The next statement begins early if its group
 * is full, or if the running statement is slow.
 *
 * No message waits for the conversation of another, or fails with it: a message whose conversation
 * is being changed is written by a separate statement, and so is each message of a group that the
 * database refused. Those of accounts whose webhooks have filters are written by another statement,
 * in a transaction in which the filters are applied.
 */
export class MessageWrites {
  readonly #db: Db;
  readonly #laneNotifier: Pick<LaneNotifier, 'queue'>;
  readonly #limits: GroupLimits;
  #waiting: Write[] = [];
  #underWay = 0;
  /** The statement that the next one waits for. */
  #latest: symbol | null = null;

  constructor(options: { db: Db; laneNotifier: Pick<LaneNotifier, 'queue'>; limits: GroupLimits }) {
    this.#db = options.db;
    this.#laneNotifier = options.laneNotifier;
    this.#limits = options.limits;
  }

  /** Resolves when the message is committed and its lanes are queued. */
  async write(message: NewMessage): Promise<InsertedMessage> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    const { maxMessages, patienceMs, maxConcurrent } = this.#limits;
    const isFull = this.#waiting.length >= maxMessages;
    const mayBegin = isFull || (this.#latest === null && this.#waiting.length > 0);
    if (!mayBegin || this.#underWay === maxConcurrent) return;
    const statement = Symbol('statement');
    const letNextBegin = () => {
      if (this.#latest === statement) this.#latest = null;
      void this.#writeWaiting();
    };
    this.#latest = statement;
    this.#underWay += 1;
    const patience = setTimeout(letNextBegin, patienceMs);
    await this.#writeGroup(this.#waiting.splice(0, maxMessages));
    clearTimeout(patience);
    this.#underWay -= 1;
    letNextBegin();
  }

  async #writeGroup(group: readonly Write[], { withFilters = false } = {}): Promise<void> {
    const toFilter: Write[] = [];
    try {
      const inserted = await this.#insert(group, { waitsForLocks: false, withFilters });
      for (const [index, write] of group.entries()) {
        const outcome = inserted[index];
        if (outcome?.kind === 'to filter') toFilter.push(write);
        else if (outcome && outcome.kind !== 'not found') write.resolve(outcome);
        else void this.#writeAlone(write);
      }
    } catch (error) {
      const isEachToTry = group.length > 1 && isRefusedStatement(error);
      for (const write of group) {
        if (isEachToTry) void this.#writeAlone(write);
        else write.reject(error);
      }
    }
    if (toFilter.length > 0) await this.#writeGroup(toFilter, { withFilters: true });
  }

  async #writeAlone(write: Write, { withFilters = false } = {}): Promise<void> {
    try {
      const [outcome] = await this.#insert([write], { waitsForLocks: true, withFilters });
      if (outcome?.kind === 'to filter') void this.#writeAlone(write, { withFilters: true });
      else write.resolve(outcome ?? { kind: 'not found' });
    } catch (error) {
      write.reject(error);
    }
  }

  async #insert(
    group: readonly Write[],
    { waitsForLocks, withFilters }: { waitsForLocks: boolean; withFilters: boolean },
  ): Promise<InsertedMessage[]> {
    const messages = group.map(({ message }) => message);
    const { inserted, webhookIds } = withFilters
      ? await this.#db.transaction((tx) => insertFilteredMessages(tx, { messages, waitsForLocks }))
      : await insertMessages(this.#db, { messages, waitsForLocks });
    this.#laneNotifier.queue(webhookIds);
    return inserted;
  }
}

/** PostgreSQL's error codes for invalid values, broken constraints, rollbacks and limits. */
const refused = /^(22|23|40|54)...$/;

/**
 * Whether the database refused a statement because of the values it was to write, and wrote
 * nothing. After other failures, such as a lost connection, it is unknown whether something was
 * written.
 */
function isRefusedStatement(error: unknown): boolean {
  return withCauses(error).some((cause) => refused.test(errorCode(cause) ?? ''));
}
