/** Messages between the processes of one installation, through the database. */
export type Notifier = {
  /** Channels are lower-case words: one engine quotes their names and the other doesn't. */
  subscribe(channel: string, onMessage: (payload: string) => void): void;
  /** Called whenever listening begins, the first time included: earlier messages were missed. */
  onReconnect(fn: () => void): void;
  /** Sends at once. Inside a transaction use `pg_notify` on its handle, which sends at the commit. */
  publish(channel: string, payload: string): Promise<void>;
};

/** A subscription that can be closed. */
export type ClosableNotifier = Notifier & { close(): Promise<void> };
