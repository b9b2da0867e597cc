import type { KeyObject } from 'node:crypto';
import type { AttemptErrorKind } from '#lib/contract/deliveries/attempt-errors.ts';

/** What an attempt sends: one signed POST. */
export type Outgoing = {
  url: string;
  /** The `webhook-id`: the same for every webhook, retry and replay of the event. */
  messageId: string;
  /** The event's body as it is stored. The signature is computed from it. */
  body: string;
  /** Signing secrets that are valid now, newest first. Without any, the request is not signed. */
  secrets: readonly KeyObject[];
  /** Static headers of the webhook. Their values appear in no result. */
  headers: Readonly<Record<string, string>>;
  /** The uuid of the replay that this delivery belongs to, sent as `Webhook-Replay`. */
  replayUuid: string | null;
  /** The span of the attempt. It is sent as `traceparent` only with `WEBHOOK_TRACEPARENT`. */
  traceParent?: string | undefined;
  /** The webhook's id: lanes never share connections, so that they do not wait for one another. */
  laneId?: number;
};

/** The request of an attempt and its result. */
export type AttemptResult = {
  /** When the attempt began. The time it waited for its turn is not included. */
  startedAt: Date;
  durationMs: number;
  /** From the start to the first byte of the response; null without a response. */
  firstByteMs: number | null;
  requestHeaders: Record<string, string>;
  /** The response as far as it arrived: headers without secrets, at most 4 KiB of decoded body. */
  response: {
    statusCode: number;
    headers: Record<string, string>;
    body: string;
    isTruncated: boolean;
  } | null;
  /** The failure in words for the operator of the receiver; null if a complete response arrived. */
  error: { kind: AttemptErrorKind; message: string } | null;
};

/** Sends attempts over kept-alive connections. */
export type Sender = {
  /** Never rejects: every failure is part of the result. */
  send(outgoing: Outgoing): Promise<AttemptResult>;
  /** Ends idle connections and waits for open attempts. */
  close(): Promise<void>;
};
