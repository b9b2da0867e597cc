/** What an attempt means for its delivery. */
export type Outcome =
  | { kind: 'delivered' }
  /** Retry at this time. */
  | { kind: 'retry'; at: Date }
  /** The schedule has no further attempt. */
  | { kind: 'give_up' }
  /** The receiver responded with 410: it wants no more events. */
  | { kind: 'gone' }
  /**
   * An internal error, not the receiver's: the attempt does not count. Metrics and logs have
   * `our_fault`, the database and the API `internal`; in names, both are an internal error.
   */
  | { kind: 'our_fault'; at: Date }
  /** The event is no longer stored, so it can never be sent. */
  | { kind: 'event_gone' };
