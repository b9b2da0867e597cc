import { once } from 'node:events';

type Result = Record<string, unknown>;
type Listener = (params: Result) => void;
type Message = { id?: number; method?: string; params?: Result; result?: Result; message?: string };

/** A connection of WebDriver BiDi: @see https://www.w3.org/TR/webdriver-bidi/ */
export type BidiConnection = {
  send: (method: string, params: object) => Promise<Result>;
  on: (event: string, listener: Listener) => void;
  close: () => void;
};

export async function connectBidi(url: string): Promise<BidiConnection> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  const listeners = new Map<string, Listener>();
  let lastId = 0;

  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const { id, method, params = {}, result, message } = JSON.parse(data) as Message;
    if (id === undefined) {
      listeners.get(method ?? '')?.(params);
      return;
    }
    const sender = waiting.get(id);
    waiting.delete(id);
    if (result === undefined) sender?.reject(new Error(message));
    else sender?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended.'));
  });

  return {
    async send(method, params) {
      lastId += 1;
      const result = Promise.withResolvers<Result>();
      waiting.set(lastId, result);
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return await result.promise;
    },
    on: (event, listener) => void listeners.set(event, listener),
    close: () => socket.close(),
  };
}
