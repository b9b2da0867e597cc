/** An attempt as it is stored, and the next state of its delivery. */
export type SettledAttempt = {
  webhookId: number;
  accountId: string;
  eventId: number;
  /** The lease under which its delivery was taken. */
  lease: number;
  number: number;
  becomes: { status: 'delivered' | 'failed' | 'cancelled' } | { status: 'pending'; dueAt: Date };
  /** Whether it counts as a step of the retry schedule. */
  countsInSchedule: boolean;
  /** What the attempt says about the receiver; tests and errors of this service say nothing. */
  says: 'works' | 'fails' | 'gone' | 'nothing';
  startedAt: Date;
  durationMs: number;
  waitedMs: number;
  firstByteMs: number | null;
  url: string;
  statusCode: number | null;
  error: { kind: string; message: string } | null;
  /** In words for people; null after a success. */
  lastError: string | null;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  isResponseTruncated: boolean;
};

/** Identifies an attempt. */
export type AttemptName = Pick<SettledAttempt, 'webhookId' | 'eventId' | 'number' | 'startedAt'>;

/** A lane that is renewed, or released if `isReleased`. */
export type LaneToSettle = {
  webhookId: number;
  lease: number;
  isReleased: boolean;
  /** Whether its owner sends nothing more of it, so that it is released even if it changed. */
  hasEnded?: boolean;
};
