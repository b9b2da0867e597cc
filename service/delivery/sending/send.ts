import { setImmediate as nextTurn } from 'node:timers/promises';
import type { buildConnector } from 'undici';
import type { Clock } from '#service/clock.ts';
import type { Config } from '#service/config/load-config.ts';
import {
  targetRulesOf,
  checkTarget,
  type TargetRules,
} from '#service/domain/webhooks/target/check-target.ts';
import { deliveryHeaders } from '#service/domain/webhooks/secret/sign.ts';
import type { Logger } from '#service/log/log.ts';
import type { AttemptResult, Outgoing, Sender } from './attempt.ts';
import { createGuardedConnector } from './connecting/connect-guard.ts';
import { createProxyConnector } from './connecting/connect-through-proxy.ts';
import { Connections, defaultConnectionLimits } from './connecting/connections.ts';
import type { ConnectionLimits } from './connecting/connections.ts';
import { describeFailure, internalError } from './failures/describe-failure.ts';
import { exchange } from './exchange.ts';
import { maxReceivedBytes, defaultBodyLimits } from './read-body.ts';
import type { BodyLimits } from './read-body.ts';
import { createResolve, shareLookUps } from './connecting/resolve-name.ts';
import type { Resolve } from './connecting/resolve-name.ts';

export type SenderOptions = {
  connectTimeoutMs: number;
  /** The limit of the whole attempt: connecting, sending, waiting and reading. */
  timeoutMs: number;
  bodyLimits: BodyLimits;
  connectionLimits: ConnectionLimits;
  resolve: Resolve;
  /** Certificate authorities to trust instead of the default ones, in PEM. */
  ca: string | undefined;
};

const defaultOptions: SenderOptions = {
  connectTimeoutMs: 5000,
  timeoutMs: 15_000,
  bodyLimits: defaultBodyLimits,
  connectionLimits: defaultConnectionLimits,
  resolve: createResolve(),
  ca: undefined,
};

/**
 * Makes attempts as Standard Webhooks describes them: signed POSTs, without following redirects.
 * Proxies in environment variables are ignored; only WEBHOOK_PROXY is used.
 */
export function createSender(
  parts: { config: Config; clock: Clock; log: Logger },
  chosen: Partial<SenderOptions> = {},
): Sender {
  const options = { ...defaultOptions, ...chosen };
  const tools: Tools = {
    ...parts,
    options,
    targets: new Targets(targetRulesOf(parts.config)),
    connections: new Connections(connectorFor(parts.config, options), options.connectionLimits),
  };
  const open = new Set<Promise<AttemptResult>>();
  let isClosed = false;

  return {
    async send(outgoing) {
      const attempt = isClosed
        ? Promise.resolve(internalErrorResult(tools, new Error('The sender is closed.')))
        : makeAttempt(outgoing, tools).catch((error: unknown) => internalErrorResult(tools, error));
      open.add(attempt);
      const result = await attempt;
      open.delete(attempt);
      return result;
    },
    async close() {
      isClosed = true;
      await Promise.all(open);
      await tools.connections.close();
    },
  };
}

type Tools = {
  config: Config;
  clock: Clock;
  log: Logger;
  options: SenderOptions;
  targets: Targets;
  connections: Connections;
};

/** With a proxy, the proxy looks names up and decides which addresses webhooks may reach. */
function connectorFor(
  config: Config,
  { resolve, connectTimeoutMs, bodyLimits, ca }: SenderOptions,
): (origin: URL) => buildConnector.connector {
  const usual = { connectTimeoutMs, ca, maxReceivedBytes: maxReceivedBytes(bodyLimits) };
  const { webhookProxy: proxy } = config;
  if (proxy !== null) {
    const connector = createProxyConnector({ proxy, ...usual });
    return () => connector;
  }
  const rules = targetRulesOf(config);
  const shared = { rules, resolve: shareLookUps(resolve), ...usual };
  return (origin) => createGuardedConnector({ origin, ...shared });
}

async function makeAttempt(outgoing: Outgoing, tools: Tools): Promise<AttemptResult> {
  const { clock, options } = tools;
  const target = tools.targets.of(outgoing.url);
  if (target.problem !== null) {
    const error = { kind: 'blocked_address', message: target.problem } as const;
    return { ...nothingSent(clock.now()), error };
  }
  const { dispatcher, giveBack } = tools.connections.borrow(target, String(outgoing.laneId ?? ''));
  try {
    const startedAt = clock.now();
    const began = performance.now();
    const requestHeaders = headersOf(outgoing, { startedAt, config: tools.config });
    const { failure, ...came } = await exchange(
      dispatcher,
      {
        path: target.path,
        // undici takes the TLS server name from it as well.
        headers: { ...outgoing.headers, ...requestHeaders, host: target.host },
        body: outgoing.body,
      },
      options,
    );
    const durationMs = Math.round(performance.now() - began);
    const error = failure === null ? null : explain(failure, target, tools);
    // undici makes the connection available in the next turn; an attempt before that would open
    // another.
    await nextTurn();
    const { headers } = outgoing;
    return {
      startedAt,
      durationMs,
      firstByteMs: came.firstByteMs,
      response: came.response && hideValues(came.response, headers),
      requestHeaders: { ...requestHeaders, ...hidden(headers) },
      error,
    };
  } finally {
    giveBack();
  }
}

function headersOf(
  outgoing: Outgoing,
  { startedAt, config }: { startedAt: Date; config: Config },
): Record<string, string> {
  const { replayUuid, traceParent } = outgoing;
  return {
    ...deliveryHeaders(outgoing, startedAt),
    ...(replayUuid !== null && { 'Webhook-Replay': replayUuid }),
    ...(config.webhookTraceparent && traceParent !== undefined && { traceparent: traceParent }),
  };
}

/** What results show in place of the value of a static header. */
const hiddenValue = '[hidden]';

function hidden(headers: Outgoing['headers']): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, hiddenValue]));
}

/** A shorter value would be found everywhere, and is no secret. */
const minHiddenLength = 4;

/** A response without the values of static headers: receivers may repeat what they were sent. */
function hideValues(
  response: NonNullable<AttemptResult['response']>,
  headers: Outgoing['headers'],
): NonNullable<AttemptResult['response']> {
  const values = Object.values(headers)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .filter((value) => value.length >= minHiddenLength)
    .toSorted((a, b) => b.length - a.length);
  if (values.length === 0) return response;
  const hide = (text: string) =>
    values.reduce((shown, value) => shown.replaceAll(value, hiddenValue), text);
  const body = hide(response.body);
  return {
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, text]) => [name, hide(text)]),
    ),
    body: response.isTruncated ? withoutCutValue(body, values) : body,
  };
}

/** A cut text may end within a value. */
function withoutCutValue(text: string, values: readonly string[]): string {
  for (const value of values) {
    for (let length = value.length - 1; length >= minHiddenLength; length -= 1) {
      if (text.endsWith(value.slice(0, length))) return `${text.slice(0, -length)}${hiddenValue}`;
    }
  }
  return text;
}

function explain(
  failure: unknown,
  { hostname }: { hostname: string },
  tools: Tools,
): AttemptResult['error'] {
  const error = describeFailure(failure, { hostname, times: tools.options });
  if (error.kind === 'internal') logInternalError(tools, failure);
  return error;
}

function internalErrorResult(tools: Tools, failure: unknown): AttemptResult {
  logInternalError(tools, failure);
  return { ...nothingSent(tools.clock.now()), error: internalError };
}

function logInternalError({ log }: Tools, failure: unknown): void {
  log.error({ err: failure }, 'an attempt failed through our own fault');
}

function nothingSent(startedAt: Date): Omit<AttemptResult, 'error'> {
  return { startedAt, durationMs: 0, firstByteMs: null, requestHeaders: {}, response: null };
}

/** Where an attempt goes, or why it may not be made. */
type Target =
  | { problem: string }
  | {
      problem: null;
      origin: string;
      hostname: string;
      /** What the request and TLS call it: without the dot that a name may end with. */
      host: string;
      path: string;
    };

const maxKept = 10_000;

/** Parses and checks the URLs of webhooks, cached. An IP address is checked again when dialed. */
class Targets {
  readonly #rules: TargetRules;
  readonly #known = new Map<string, Target>();

  constructor(rules: TargetRules) {
    this.#rules = rules;
  }

  of(url: string): Target {
    const known = this.#known.get(url);
    if (known) return known;
    const target = this.#check(url);
    this.#known.set(url, target);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKept && oldest !== undefined) this.#known.delete(oldest);
    return target;
  }

  #check(text: string): Target {
    const { problem } = checkTarget(text, this.#rules);
    if (problem !== undefined) return { problem };
    const url = new URL(text);
    const { origin, pathname, search } = url;
    // A name looked up with the dot is complete. Servers know their names without it (RFC 6066, 3).
    url.hostname = url.hostname.replace(/\.$/, '');
    const { hostname, host } = url;
    return { problem: null, origin, hostname, host, path: `${pathname}${search}` };
  }
}
