const maxCharactersEach = 512;

/**
 * Headers that help to find out why a delivery failed. Any other header may contain a secret of the
 * receiver: a cookie, a credential, or a key under a name that we cannot know.
 */
const keptNames = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'retry-after',
  'location',
  // IDs by which the receiver, or a proxy in front of it, finds the request in its log.
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

/** Headers by lower-case name; a header that was sent several times has several values. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a response that are stored: those in `keptNames`, each limited in length. */
export function keptHeaders(headers: ReceivedHeaders): Record<string, string> {
  const present = keptNames.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, textOf(headers[name])]));
}

function textOf(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return text.replaceAll('\0', '').slice(0, maxCharactersEach);
}
