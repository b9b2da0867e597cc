/** Calls that are made again and again over a number of connections. */
export type HttpLoad = {
  origin: string;
  method: 'GET' | 'POST';
  body?: string;
  /** Made in turn. */
  calls: readonly { path: string; token: string }[];
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
