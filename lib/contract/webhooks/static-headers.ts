import { z } from 'zod';
import { rawText } from '../fields/bounded-text.ts';

const maxHeaders = 10;

/** Beside those below, names that begin with `content-`, `proxy-` or `webhook-`. */
const reservedNames = [
  'host',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'cookie',
  'user-agent',
  'accept-encoding',
  'traceparent',
  'tracestate',
];

/** Whether the service or the connection sets the header itself, so that a webhook cannot. */
function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return reservedNames.includes(lower) || /^(?:content|proxy|webhook)-/.test(lower);
}

const headerName = rawText(64, { tooLong: 'Use a header name of at most 64 characters.' })
  .regex(
    /^[!#$%&'*+.^`|~\w-]+$/,
    'Use a header name of letters, digits and hyphens, without spaces and line breaks.',
  )
  .refine(
    (name) => !isReservedHeader(name),
    'The service sets this header itself. Choose another name.',
  )
  .refine((name) => name !== '__proto__', 'Choose another name.');

const headerValue = rawText(2048, { tooLong: 'Use a value of at most 2048 characters.' })
  .min(1, 'Enter a value.')
  .regex(
    /^[\u0021-\u007e](?:[\t\u0020-\u007e]*[\u0021-\u007e])?$/,
    'Use visible ASCII characters and spaces, without line breaks, and no space at the start or end.',
  );

function headersOf<Value extends z.ZodType>(value: Value) {
  return z
    .record(headerName, value, {
      error: (issue) =>
        issue.code === 'invalid_key' ? issue.issues[0]?.message : 'Use a JSON object of headers.',
    })
    .refine(
      (headers) => Object.keys(headers).length <= maxHeaders,
      `Use at most ${maxHeaders} headers.`,
    )
    .refine((headers) => {
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      return new Set(names).size === names.length;
    }, 'Use each header name only once, whatever its case.')
    .meta({ maxProperties: maxHeaders });
}

const about = `Headers that each delivery carries besides those of the service, by name: at most ${maxHeaders}, such as \`Authorization\`. A value has 1 to 2,048 visible ASCII characters and is sealed: no response, audit entry or log contains it. Not allowed: \`Host\`, \`Cookie\`, \`User-Agent\`, \`Expect\`, \`Accept-Encoding\`, the headers of the connection, and names that begin with \`Content-\`, \`Proxy-\` or \`webhook-\`.`;

export const newHeaders = headersOf(headerValue).describe(about);

export const changedHeaders = headersOf(headerValue.nullable()).describe(
  `${about} Headers that are left out are removed; null keeps the value that is stored. Values belong to the scheme, host and port of the URL: if one of these changes, give each value again or leave its header out.`,
);

export const headerNames = z
  .array(z.string())
  .describe(
    'The names of the headers that each delivery carries besides those of the service. Their values are never returned.',
  );
