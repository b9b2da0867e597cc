/** Calls that are repeated over a number of connections. */
export type HttpLoad = {
  origin: string;
  method: 'GET' | 'POST';
  body?: string;
  /** The calls, made in turn. */
  calls: readonly { path: string; token: string }[];
  /** The status that every response must have. */
  status: number;
  seconds: number;
};

export type HttpResult = { responses: number; perSecond: number };

/**
 * A client that sends a load from a separate process, which uses as little of the machine as
 * possible.
 */
export type HttpClient = {
  name: string;
  /** @throws if a response has another status */
  send(load: HttpLoad): Promise<HttpResult>;
};

export const connections = 32;
