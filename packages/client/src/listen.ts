import { setTimeout as pause } from 'node:timers/promises';
import { tokenProblem } from './token.ts';

export type ListenOptions = {
  /** The address of the service, without `/api/v1`. */
  baseUrl: string;
  token: string;
  /** The ID or UUID of the webhook whose events are forwarded. */
  webhook: string;
  /** Where each event is sent. */
  to: string;
  print: (line: string) => void;
  signal?: AbortSignal;
};

/** What a delivery to the webhook would send. */
type Delivery = { headers: Record<string, string>; body: string };

/** The service says something every 15 seconds; without that, the connection is lost. */
const silenceMs = 45_000;
/** As long as the service waits for a receiver. */
const responseMs = 15_000;
const longestPauseMs = 30_000;

/** Why listening cannot go on: trying again would not help. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Forwards the events of a webhook to a server that the service cannot reach, until the signal is
 * aborted. If the connection is lost, it connects again, and continues after the last event.
 *
 * @throws ListenError if the service refuses the stream, or the token cannot be one
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { print, signal } = options;
  const problem = tokenProblem(options.token);
  if (problem) throw new ListenError(problem);
  let cursor = '';
  let failures = 0;
  for (;;) {
    if (signal?.aborted) return;
    let retryAfter = 0;
    let isOpen = false;
    try {
      const response = await connect(options, cursor);
      if ('retryAfter' in response) {
        ({ retryAfter } = response);
        print(response.why);
      } else {
        failures = 0;
        isOpen = true;
        print(cursor === '' ? `Forwarding to ${options.to}` : 'Connected again');
        for await (const { id, data } of readMessages(response)) {
          if (data !== '') await forward(options, JSON.parse(data) as Delivery);
          cursor = id;
        }
        print('The stream has ended');
      }
    } catch (error) {
      if (error instanceof ListenError) throw error;
      const what = isOpen ? 'The connection is lost' : `Cannot reach ${options.baseUrl}`;
      if (!signal?.aborted) print(`${what}, trying again: ${causeOf(error)}`);
    }
    failures += 1;
    const backoffMs = Math.min(longestPauseMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
    await pause(Math.max(retryAfter * 1000, backoffMs), undefined, { signal }).catch(
      () => undefined,
    );
  }
}

type Connection = { chunks: AsyncIterable<Uint8Array>; stillThere: () => void };

async function connect(
  { baseUrl, token, webhook, signal }: ListenOptions,
  cursor: string,
): Promise<Connection | { retryAfter: number; why: string }> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('nothing arrived')), silenceMs).unref();
  const path = `/api/v1/webhooks/${encodeURIComponent(webhook)}/feed`;
  const response = await fetch(new URL(path, baseUrl), {
    headers: { Authorization: `Bearer ${token}`, ...(cursor && { 'Last-Event-ID': cursor }) },
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
  });
  const isStream = response.headers.get('Content-Type') === 'text/event-stream';
  if (response.ok && response.body && isStream) {
    return { chunks: response.body, stillThere: () => timer.refresh() };
  }
  clearTimeout(timer);
  const why = `The service responded with ${response.status}: ${await messageIn(response)}`;
  if (response.ok) throw new ListenError(`${baseUrl} is another service: it sends no events.`);
  if (response.status !== 429 && response.status < 500) throw new ListenError(why);
  return { retryAfter: Number(response.headers.get('Retry-After')) || 0, why };
}

type ApiError = {
  message: string;
  required_scope?: string;
  details?: Record<string, string[]>;
  doc_url?: string;
};

async function messageIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: ApiError };
    const { message, required_scope: scope, details = {}, doc_url: page } = error;
    const more = [scope && `The key needs the scope ${scope}.`, ...Object.values(details).flat()];
    return [message, ...more, page && `See ${page}`].filter(Boolean).join(' ');
  } catch {
    // Not from the service, such as the page of a proxy.
    return response.statusText;
  }
}

/** The server-sent events of a stream, each with the last id. */
async function* readMessages({
  chunks,
  stillThere,
}: Connection): AsyncGenerator<{ id: string; data: string }> {
  const decoder = new TextDecoder();
  let id = '';
  let text = '';
  for await (const chunk of chunks) {
    stillThere();
    const messages = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const valueOf = (field: string) =>
        message
          .split('\n')
          .filter((line) => line.startsWith(`${field}: `))
          .map((line) => line.slice(field.length + 2))
          .join('\n');
      id = valueOf('id') || id;
      yield { id, data: valueOf('data') };
      // The local server may have taken long.
      stillThere();
    }
  }
}

/** Sends one event to the local server, and prints a line about its response. */
async function forward({ to, print }: ListenOptions, { headers, body }: Delivery): Promise<void> {
  const start = performance.now();
  let result: string;
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(responseMs),
    });
    await response.body?.cancel();
    result = String(response.status);
  } catch (error) {
    result = `failed: ${causeOf(error)}`;
  }
  const { type } = JSON.parse(body) as { type: string };
  const ms = Math.round(performance.now() - start);
  print(
    `${new Date().toISOString()} ${type} ${headers['webhook-id'] ?? ''} → ${result} (${ms} ms)`,
  );
}

/** `fetch` says only that it failed; its cause says why. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
