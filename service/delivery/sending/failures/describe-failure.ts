import { AssertionError } from 'node:assert';
import { errors } from 'undici';
import { countOf } from '#lib/count.ts';
import { isLoopbackAddress } from '#service/network/networks.ts';
import type { AttemptResult } from '../attempt.ts';
import { BlockedAddressError } from '../connecting/connect-guard.ts';
import { ProxyRefusedError } from '../connecting/connect-through-proxy.ts';
import {
  AttemptTimeoutError,
  FloodError,
  InvalidBodyError,
  ResponseTooLargeError,
  type Flood,
  type Phase,
} from './failures.ts';

type AttemptError = NonNullable<AttemptResult['error']>;

/** The receiver, and the time limits of the attempt in milliseconds. */
type Target = { hostname: string; times: { connectTimeoutMs: number; timeoutMs: number } };

/**
 * Explains a failed attempt to the person who runs the receiver. A failure counts as an internal
 * error unless its cause is known to lie with the receiver or the network.
 */
export function describeFailure(failure: unknown, target: Target): AttemptError {
  const { hostname } = target;
  return (
    describeOwn(failure, target) ??
    describeUndici(failure, target) ??
    describeSystem(rootOf(failure), hostname) ??
    internalError
  );
}

export const internalError: AttemptError = {
  kind: 'internal',
  message: 'Something went wrong on our side. This attempt does not count.',
};

function describeOwn(failure: unknown, { hostname, times }: Target): AttemptError | null {
  if (failure instanceof AttemptTimeoutError) {
    return describeTimeout(failure.phase, { hostname, times });
  }
  if (failure instanceof ResponseTooLargeError) {
    const kibibytes = Math.round(failure.limitBytes / 1024);
    return {
      kind: 'response_too_large',
      message: `The response is larger than ${kibibytes} KiB. The rest was not read.`,
    };
  }
  if (failure instanceof InvalidBodyError) {
    return {
      kind: 'invalid_response',
      message: `The response says that its body is encoded as ${failure.encoding}, but it is not.`,
    };
  }
  if (failure instanceof FloodError) return describeFlood(failure.flood, hostname);
  if (failure instanceof BlockedAddressError) return describeBlocked(failure, hostname);
  if (failure instanceof ProxyRefusedError) return describeProxyRefusal(failure, hostname);
  return null;
}

function describeTimeout(phase: Phase, { hostname, times }: Target): AttemptError {
  const whole = seconds(times.timeoutMs);
  const connecting = seconds(times.connectTimeoutMs);
  const errorsByPhase: Record<Phase, AttemptError> = {
    connecting: {
      kind: 'connect_timeout',
      message: `${hostname} could not be connected to within ${connecting}.`,
    },
    waiting: {
      kind: 'response_timeout',
      message: `${hostname} took the request but did not respond within ${whole}.`,
    },
    reading: {
      kind: 'read_timeout',
      message: `${hostname} began to respond but did not finish within ${whole}.`,
    },
  };
  return errorsByPhase[phase];
}

/**
 * Names no address but those of this machine: others may come from an internal name server, which the
 * reader could question in this way.
 */
function describeBlocked(
  { address, obstacle }: BlockedAddressError,
  hostname: string,
): AttemptError {
  const where = isLoopbackAddress(address) ? `${address}, which` : 'an address that';
  const what =
    obstacle === 'network'
      ? 'is not public. The operator can allow it with WEBHOOK_ALLOWED_CIDRS.'
      : 'cannot receive webhooks.';
  return { kind: 'blocked_address', message: `${hostname} leads to ${where} ${what}` };
}

/** Not for 407, which is about our credentials and counts as an internal error. */
function describeProxyRefusal(
  { statusCode }: ProxyRefusedError,
  hostname: string,
): AttemptError | null {
  if (statusCode === 403) {
    return {
      kind: 'blocked_address',
      message: `The proxy (WEBHOOK_PROXY) refused to connect to ${hostname}.`,
    };
  }
  if (statusCode === 407) return null;
  return {
    kind: 'connection_refused',
    message: `The proxy (WEBHOOK_PROXY) could not connect to ${hostname} (status ${statusCode}).`,
  };
}

function describeUndici(failure: unknown, target: Target): AttemptError | null {
  const { hostname } = target;
  if (failure instanceof errors.ConnectTimeoutError) return describeTimeout('connecting', target);
  if (failure instanceof errors.SocketError) {
    return failure.message === 'bad upgrade' ? switched(hostname) : reset(hostname);
  }
  if (failure instanceof errors.HeadersOverflowError) {
    return {
      kind: 'invalid_response',
      message: 'The headers of the response are larger than 16 KiB.',
    };
  }
  if (
    failure instanceof errors.HTTPParserError ||
    failure instanceof errors.ResponseContentLengthMismatchError ||
    // undici checks some properties of a response only by assertions, such as its status.
    failure instanceof AssertionError
  ) {
    return { kind: 'invalid_response', message: `The response of ${hostname} is not valid HTTP.` };
  }
  return null;
}

function switched(hostname: string): AttemptError {
  const message = `${hostname} tried to switch protocols, which was not requested.`;
  return { kind: 'invalid_response', message };
}

function reset(hostname: string): AttemptError {
  return {
    kind: 'connection_reset',
    message: `${hostname} closed the connection before its response was complete.`,
  };
}

type SystemFailure = Error & { code?: unknown };

/** The first failure if several addresses failed; the inner failure if it is wrapped. */
function rootOf(failure: unknown): SystemFailure | null {
  if (failure instanceof AggregateError) return rootOf(failure.errors[0]);
  return failure instanceof Error ? failure : null;
}

function describeSystem(failure: SystemFailure | null, hostname: string): AttemptError | null {
  const code = String(failure?.code);
  if (code in systemFailures) return systemFailures[code]?.(hostname) ?? null;
  return failure === null ? null : describeTls({ code, failure, hostname });
}

const unreachable = (hostname: string): AttemptError => ({
  kind: 'connection_refused',
  message: `No network route to ${hostname}.`,
});

const slow = (hostname: string): AttemptError => ({
  kind: 'connect_timeout',
  message: `${hostname} did not accept the connection in time.`,
});

const notFound = (hostname: string): AttemptError => ({
  kind: 'name_not_found',
  message: `The name ${hostname} was not found.`,
});

const systemFailures: Record<string, (hostname: string) => AttemptError> = {
  ENOTFOUND: notFound,
  ENODATA: notFound,
  EAI_AGAIN: (hostname) => ({
    kind: 'name_not_found',
    message: `The name ${hostname} could not be looked up: its name servers failed.`,
  }),
  ETIMEOUT: (hostname) => ({
    kind: 'connect_timeout',
    message: `The name ${hostname} could not be looked up: its name servers did not respond in time.`,
  }),
  ECONNREFUSED: (hostname) => ({
    kind: 'connection_refused',
    message: `${hostname} refused the connection: nothing listens on that port.`,
  }),
  // A firewall on the way refused the connection with an ICMPv6 message.
  EACCES: (hostname) => ({
    kind: 'connection_refused',
    message: `A firewall does not allow connections to ${hostname}.`,
  }),
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EHOSTDOWN: unreachable,
  ETIMEDOUT: slow,
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
};

function describeTls({
  code,
  failure,
  hostname,
}: {
  code: string;
  failure: SystemFailure;
  hostname: string;
}): AttemptError | null {
  const reason = certificateErrors.has(code)
    ? `was rejected: ${failure.message}`
    : certificateReasons[code];
  if (reason !== undefined) {
    return { kind: 'tls', message: `The TLS certificate of ${hostname} ${reason}.` };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return { kind: 'tls', message: `The TLS handshake with ${hostname} failed.` };
  }
  return null;
}

/** Explanations of OpenSSL's verification codes, as Node reports them. */
const certificateReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'comes without the certificates between it and its authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'comes without the certificates between it and its authority, or from one that is not trusted',
  CERT_REVOKED: 'was revoked',
  CERT_UNTRUSTED: 'comes from an authority that is not trusted',
  CERT_REJECTED: 'was rejected',
  CERT_SIGNATURE_FAILURE: 'has a wrong signature',
  INVALID_PURPOSE: 'is not meant for servers',
};

/** Rarer codes, and `UNSPECIFIED` (an error without a Node code): OpenSSL's message is used. */
const certificateErrors: ReadonlySet<string> = new Set([
  'UNSPECIFIED',
  'CERT_CHAIN_TOO_LONG',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_SIGNATURE_FAILURE',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_GET_CRL',
]);

function seconds(ms: number): string {
  return countOf(ms / 1000, 'second');
}

/** Explains to the person who runs the receiver what it sent too much of. */
function describeFlood(flood: Flood, hostname: string): NonNullable<AttemptResult['error']> {
  const rest = 'The rest was not read.';
  const descriptions: Record<Flood, NonNullable<AttemptResult['error']>> = {
    handshakes: {
      kind: 'tls',
      message: `${hostname} sent too much before the TLS handshake was complete.`,
    },
    interim_responses: {
      kind: 'too_many_interim_responses',
      message: 'The receiver sent too many interim responses (1xx) before its final response.',
    },
    head: {
      kind: 'invalid_response',
      message: 'The receiver sent too much before the headers of its response were complete.',
    },
    around_body: {
      kind: 'response_too_large',
      message: `The receiver sent too much around the body of its response: chunk sizes, chunk extensions or trailers. ${rest}`,
    },
    body_pieces: {
      kind: 'response_too_large',
      message: `The receiver sent the body of its response in too many small chunks. ${rest}`,
    },
    trailers: {
      kind: 'response_too_large',
      message: `The trailers of the response are larger than 16 KiB. ${rest}`,
    },
  };
  return descriptions[flood];
}
