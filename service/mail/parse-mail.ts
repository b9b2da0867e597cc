/** An email to one person, as its plain text shows it. */
export type ParsedMail = { to: string; subject: string; text: string };

/**
 * Parses an email that `transport.ts` wrote: in UTF-8, with the plain text before the HTML. Control
 * characters are removed, because a terminal would execute them.
 */
export function parseMail(source: string): ParsedMail {
  const mail = readEntity(source);
  const boundary = /\bboundary="?([^";]+)"?/i.exec(mail.header('content-type'))?.[1];
  const [, first = ''] = boundary === undefined ? [] : mail.body.split(`--${boundary}\r\n`);
  const part = boundary === undefined ? mail : readEntity(first);
  const text = decodeBody(part.body, part.header('content-transfer-encoding'));
  return {
    to: plain(decodeWords(mail.header('to'))),
    subject: plain(decodeWords(mail.header('subject'))),
    text: plain(text.replaceAll('\r\n', '\n').trimEnd()),
  };
}

function readEntity(source: string): { header(name: string): string; body: string } {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers = readHeaders(head);
  return { header: (name) => headers.get(name) ?? '', body: rest.join('\r\n\r\n') };
}

function readHeaders(head: string): Map<string, string> {
  const unfolded = head.replaceAll(/\r\n(?=[ \t])/g, '');
  return new Map(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** RFC 2047: `=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=`. White space between two such words is ignored. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? fromBase64(text)
        : fromQuotedPrintable(text.replaceAll('_', ' ')),
    );
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return fromBase64(body);
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body;
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}

/** RFC 2045, 6.7: `=C3` is a byte, and a `=` at the end of a line joins it to the next line. */
function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9a-f]{2})/gi, (_code, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- leaving control characters out is the point
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '');
}
