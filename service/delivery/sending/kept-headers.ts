const maxCharactersEach = 512;

/**
 * What helps to find out why a delivery failed. Anything else may be a secret of the receiver's: a
 * cookie, a credential, a key under a name that nobody here can know.
 */
const keptNames = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'retry-after',
  'location',
  // IDs by which the receiver, or a proxy before it, finds the request in its log.
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-azure-ref',
  'x-vercel-id',
  'cf-ray',
  'fly-request-id',
];

/** By lower-case name; a name that came more than once has several values. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a response as they are stored: those of the list above, each bounded. */
export function keptHeaders(headers: ReceivedHeaders): Record<string, string> {
  const present = keptNames.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, textOf(headers[name])]));
}

function textOf(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return text.replaceAll('\0', '').slice(0, maxCharactersEach);
}
