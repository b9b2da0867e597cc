/** Messages between the processes of one installation, through the database. */
export type Notifier = {
  /** Channels must be named in lower case, because only one of the engines quotes the names. */
  subscribe(channel: string, onMessage: (payload: string) => void): void;
  /** Called whenever listening begins, also at first: earlier messages may have been missed. */
  onReconnect(fn: () => void): void;
  /** Sends immediately. Inside a transaction use `pg_notify`, which sends at the commit. */
  publish(channel: string, payload: string): Promise<void>;
};

/** A subscription that can be closed. */
export type ClosableNotifier = Notifier & { close(): Promise<void> };
