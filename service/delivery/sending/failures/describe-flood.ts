import type { AttemptResult } from '../attempt.ts';
import type { Flood } from './failures.ts';

/** Explains to the person who runs the receiver what it sent too much of. */
export function describeFlood(flood: Flood, hostname: string): NonNullable<AttemptResult['error']> {
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
