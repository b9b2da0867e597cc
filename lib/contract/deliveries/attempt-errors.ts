/** Why an attempt has no usable response; `describe-failure.ts` adds what is known of a case. */
export const attemptErrors = {
  name_not_found: {
    label: 'Name not found',
    meaning: 'the name of the server was not found',
  },
  blocked_address: {
    label: 'Blocked',
    meaning:
      'the name leads to an address that may not be called, such as one of a private network',
  },
  connection_refused: {
    label: 'Connection refused',
    meaning: 'the server refused the connection',
  },
  connection_reset: {
    label: 'Connection reset',
    meaning: 'the server closed the connection before its response was complete',
  },
  tls: {
    label: 'TLS failed',
    meaning: 'no TLS connection, or the certificate is not valid',
  },
  connect_timeout: {
    label: 'No connection',
    meaning: 'no connection in time',
  },
  response_timeout: {
    label: 'Timed out',
    meaning: 'no response in time',
  },
  read_timeout: {
    label: 'Timed out',
    meaning: 'the response was not complete in time',
  },
  too_many_interim_responses: {
    label: 'Too many 1xx',
    meaning:
      'more responses with a 1xx status than any server needs, and no final response after them',
  },
  response_too_large: {
    label: 'Response too large',
    meaning: 'the response is too large; the rest was not read, and its status counts',
  },
  invalid_response: {
    label: 'Invalid response',
    meaning: 'not valid HTTP, or a body that cannot be decoded; a status counts if there is one',
  },
  internal: {
    label: 'Internal error',
    meaning: 'our own fault: the attempt does not count',
  },
} as const satisfies Record<string, { label: string; meaning: string }>;

export type AttemptErrorKind = keyof typeof attemptErrors;
