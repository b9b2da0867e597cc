import type { KeyObject } from 'node:crypto';
import type { AttemptErrorKind } from '#lib/contract/deliveries/attempt-errors.ts';

/** What an attempt sends: one signed POST. */
export type Outgoing = {
  url: string;
  /** `msg_` and the event's uuid: the same for every webhook, retry and replay of the event. */
  messageId: string;
  /** The event's body as it is stored, which is what is signed. */
  body: string;
  /** Signing secrets that are live now, newest first; none: it goes unsigned. */
  secrets: readonly KeyObject[];
  /** The replay it is sent for, as `Webhook-Replay` says. */
  replayUuid: string | null;
  /**
   * Whose connections it uses, as the webhook's id: attempts of different lanes never wait for one
   * another's sockets, not even on the same host. Without one, those of the origin share.
   */
  laneId?: number;
};

/** What an attempt was and what came of it. */
export type AttemptResult = {
  /** When it was its turn: waiting for that is not part of it. */
  startedAt: Date;
  durationMs: number;
  /** From the start to the first byte of the response; null without one. */
  firstByteMs: number | null;
  requestHeaders: Record<string, string>;
  /** As far as one came: headers without secrets, at most 4 KiB of the decoded body. */
  response: {
    statusCode: number;
    headers: Record<string, string>;
    body: string;
    isTruncated: boolean;
  } | null;
  /** In words a user understands; null when a whole response came, whatever its status. */
  error: { kind: AttemptErrorKind; message: string } | null;
};

/** Sends attempts over kept-alive connections. */
export type Sender = {
  /** Never rejects: whatever happens is in the result. */
  send(outgoing: Outgoing): Promise<AttemptResult>;
  /** Ends idle connections and waits for open attempts. */
  close(): Promise<void>;
};

/** What an attempt means for its delivery. */
export type Outcome =
  | { kind: 'delivered' }
  /** Try again then. */
  | { kind: 'retry'; at: Date }
  /** The schedule is used up. */
  | { kind: 'give_up' }
  /** The receiver responded with 410: it wants nothing more. */
  | { kind: 'gone' }
  /** Not the receiver's doing: the attempt does not count. */
  | { kind: 'our_fault'; at: Date }
  /** The event is no longer kept: there is nothing to send, now or later. */
  | { kind: 'event_gone' };
