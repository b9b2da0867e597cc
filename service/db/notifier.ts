/** Messages between the processes of one installation, through the database. */
export type Notifier = {
  /**
   * The names of channels must be lower-case words, because only one of the engines quotes them.
   */
  subscribe(channel: string, onMessage: (payload: string) => void): void;
  /**
   * Called whenever listening begins, including the first time: earlier messages may have been
   * missed.
   */
  onReconnect(fn: () => void): void;
  /**
   * Sends immediately. Inside a transaction use `pg_notify` on its handle, which sends at the
   * commit.
   */
  publish(channel: string, payload: string): Promise<void>;
};

/** A subscription that can be closed. */
export type ClosableNotifier = Notifier & { close(): Promise<void> };
