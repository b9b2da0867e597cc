/** One call, made again and again over a number of connections. */
export type HttpLoad = {
  origin: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Sent in turn, as bearer tokens. */
  tokens: readonly string[];
  /** What every response has to be. */
  status: number;
  seconds: number;
};

export type HttpResult = { answered: number; perSecond: number };

/** What sends a load: a process of its own, which takes as little as possible of the machine. */
export type HttpClient = {
  name: string;
  /** @throws if a response has another status */
  send(load: HttpLoad): Promise<HttpResult>;
};

export const connections = 32;
