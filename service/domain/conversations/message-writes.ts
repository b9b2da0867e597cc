import type { Db } from '../../db/open.ts';
import { isRefusedStatement } from '../../db/refused-statement.ts';
import type { LaneTouches } from '../lanes/lane-touches.ts';
import { insertMessages } from './store/insert-messages.ts';
import type { InsertedMessage, NewMessage } from './store/insert-messages.ts';

/** How many statements are under way at once, and how many messages one of them writes at most. */
export const usualGroups = { mostAtOnce: 2, mostMessages: 64 };

type Write = {
  message: NewMessage;
  resolve: (inserted: InsertedMessage) => void;
  reject: (error: unknown) => void;
};

/**
 * Writes messages in groups. A message that comes alone is written at once. While statements are under
 * way the next messages gather, whosever they are, and one statement writes them all: it takes a
 * fraction of the time of one for each, and one commit.
 *
 * No message waits for the conversation of another, or fails with it: one whose conversation is being
 * changed is written by a statement of its own, and so is each of a group that the database refused.
 */
export class MessageWrites {
  readonly #db: Db;
  readonly #laneTouches: Pick<LaneTouches, 'add'>;
  readonly #most: typeof usualGroups;
  #waiting: Write[] = [];
  #groups = 0;

  constructor(options: {
    db: Db;
    laneTouches: Pick<LaneTouches, 'add'>;
    most?: typeof usualGroups;
  }) {
    this.#db = options.db;
    this.#laneTouches = options.laneTouches;
    this.#most = options.most ?? usualGroups;
  }

  /** Resolves when the message is committed, and its deliveries are announced to the workers. */
  async write(message: NewMessage): Promise<InsertedMessage> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      if (this.#groups < this.#most.mostAtOnce) void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#groups += 1;
    while (this.#waiting.length > 0) {
      await this.#writeGroup(this.#waiting.splice(0, this.#most.mostMessages));
    }
    this.#groups -= 1;
  }

  async #writeGroup(group: readonly Write[]): Promise<void> {
    try {
      const inserted = await this.#insert(group, { waitsForLocks: false });
      for (const [index, write] of group.entries()) {
        const outcome = inserted[index];
        if (outcome && outcome.kind !== 'not found') write.resolve(outcome);
        else void this.#writeAlone(write);
      }
    } catch (error) {
      const isEachToTry = group.length > 1 && isRefusedStatement(error);
      for (const write of group) {
        if (isEachToTry) void this.#writeAlone(write);
        else write.reject(error);
      }
    }
  }

  async #writeAlone(write: Write): Promise<void> {
    try {
      const [outcome] = await this.#insert([write], { waitsForLocks: true });
      write.resolve(outcome ?? { kind: 'not found' });
    } catch (error) {
      write.reject(error);
    }
  }

  async #insert(
    group: readonly Write[],
    { waitsForLocks }: { waitsForLocks: boolean },
  ): Promise<InsertedMessage[]> {
    const messages = group.map(({ message }) => message);
    const { inserted, webhookIds } = await insertMessages(this.#db, { messages, waitsForLocks });
    this.#laneTouches.add(webhookIds);
    return inserted;
  }
}
