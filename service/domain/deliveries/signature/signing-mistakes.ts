import { createHmac } from 'node:crypto';
import type { SignatureVerdict } from '#lib/contract/deliveries/signature-verdicts.ts';
import { parseJson } from '#lib/parse-json.ts';

/** What was signed by mistake. `signed` says it in words; null if it is `id.timestamp.body`. */
type SignedText = { fault: SignatureVerdict | null; signed: string | null; text: string };

type SentMessage = { id: string; timestamp: string; body: string };

/** Encodings of a signature as code may compute it. */
export type ReadSignature =
  | { kind: 'digest'; digest: Buffer; fault: 'hex' | 'wrong_base64' | null }
  | { kind: 'wrong_algorithm' | 'not_a_signature' };

const digestBytes = 32;

/** The signatures in a text, which may have the form of the header. */
export function readSignatures(text: string): ReadSignature[] {
  return text.trim().split(/\s+/).slice(0, maxSignatures).map(readSignature);
}

const maxSignatures = 8;

function readSignature(token: string): ReadSignature {
  const text = token.replace(/^["']?(?:v\d+a?[,=:]|sha-?256[=:])?/i, '').replace(/["',]+$/, '');
  if (/^[0-9a-f]+$/i.test(text) && hexLengths.includes(text.length)) {
    return digestOf(Buffer.from(text, 'hex'), 'hex');
  }
  if (!/^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/.test(text)) return { kind: 'not_a_signature' };
  const bytes = Buffer.from(text, 'base64');
  const inner = bytes.toString('latin1');
  if (/^[0-9a-f]{64}$/i.test(inner)) return digestOf(Buffer.from(inner, 'hex'), 'hex');
  return digestOf(bytes, bytes.toString('base64') === text ? null : 'wrong_base64');
}

/** Of SHA-1, 256, 384 and 512. */
const hexLengths = [40, 64, 96, 128];

function digestOf(digest: Buffer, fault: 'hex' | 'wrong_base64' | null): ReadSignature {
  return digest.length === digestBytes
    ? { kind: 'digest', digest, fault }
    : { kind: 'wrong_algorithm' };
}

/** @param secret `whsec_` and base64 */
export function rightKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

/** The keys that code makes of a secret by mistake. */
export function wrongKeys(secret: string): { fault: SignatureVerdict; key: Buffer }[] {
  return [
    { fault: 'secret_as_text', key: Buffer.from(secret) },
    { fault: 'secret_not_decoded', key: Buffer.from(secret.slice('whsec_'.length)) },
    // Decoders either take `_` for a `/`, as Node does, or skip it, as Python and PHP do.
    { fault: 'secret_with_prefix', key: Buffer.from(secret, 'base64') },
    { fault: 'secret_with_prefix', key: Buffer.from(secret.replace('_', ''), 'base64') },
  ];
}

/** Computes what code computes that signs this text with this key. Never returned to a caller. */
export function computeDigest(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function rightText({ id, timestamp, body }: SentMessage): SignedText {
  return { fault: null, signed: null, text: `${id}.${timestamp}.${body}` };
}

/** Texts with the body as it was sent, or without a body. */
export function wronglyJoined({ id, timestamp, body }: SentMessage): SignedText[] {
  const joined: Record<string, string> = {
    body,
    'timestamp.body': `${timestamp}.${body}`,
    'id.body': `${id}.${body}`,
    'timestamp.id.body': `${timestamp}.${id}.${body}`,
    'body.id.timestamp': `${body}.${id}.${timestamp}`,
    'body.timestamp.id': `${body}.${timestamp}.${id}`,
    'id.timestamp': `${id}.${timestamp}`,
    'id.timestamp.body, and a line break': `${id}.${timestamp}.${body}\n`,
    'id.timestamp.body, with the id without “msg_”': `${id.replace(/^msg_/, '')}.${timestamp}.${body}`,
    'id.timestamp.body, with the timestamp in milliseconds': `${id}.${timestamp}000.${body}`,
    'id, timestamp and body, with nothing between them': `${id}${timestamp}${body}`,
  };
  for (const [name, mark] of Object.entries(separators)) {
    joined[`id, timestamp and body, with a ${name} between them`] =
      `${id}${mark}${timestamp}${mark}${body}`;
  }
  return [
    ...Object.entries(joined).map(([signed, text]): SignedText => ({
      fault: 'joined_wrongly',
      signed,
      text,
    })),
    { fault: 'body_empty', signed: 'id.timestamp.', text: `${id}.${timestamp}.` },
    {
      fault: 'body_object',
      signed: 'id.timestamp.[object Object]',
      text: `${id}.${timestamp}.[object Object]`,
    },
    {
      fault: 'body_object',
      signed: "id.timestamp.b'…', a bytes literal of Python",
      text: `${id}.${timestamp}.${bytesLiteral(body)}`,
    },
  ];
}

const separators = { colon: ':', comma: ',', space: ' ', 'line break': '\n', 'vertical bar': '|' };

function bytesLiteral(body: string): string {
  const quoted = [...Buffer.from(body)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === "'" || character === '\\') return `\\${character}`;
    if (byte >= 0x20 && byte < 0x7f) return character;
    return `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `b'${quoted.join('')}'`;
}

/** The body as libraries write it after they parsed it. */
export function reserialized({ id, timestamp, body }: SentMessage): SignedText[] {
  const value = parseJson(body);
  if (value === undefined) return [];
  const written = Object.entries(writers).map(([writer, style]) => ({
    writer,
    text: write(value, style),
  }));
  return written.flatMap(({ writer, text }): SignedText | [] =>
    text === body
      ? []
      : {
          fault: 'body_reserialized',
          signed: `the body as ${writer} writes it`,
          text: `${id}.${timestamp}.${text}`,
        },
  );
}

type Style = {
  comma?: string;
  colon?: string;
  /** White space per level, on lines of their own. */
  indent?: number;
  isSorted?: true;
  /** Escapes more of a JSON string. */
  escape?: (json: string) => string;
};

const ascii = (json: string) => json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${hexOf(unit)}`);

const html = (json: string) => json.replaceAll(/[<>&\u2028\u2029]/g, (unit) => `\\u${hexOf(unit)}`);

const writers: Record<string, Style> = {
  'JSON.stringify(…)': {},
  'JSON.stringify(…, null, 2)': { indent: 2 },
  'JSON.stringify(…, null, 4)': { indent: 4 },
  'json.dumps of Python': { comma: ', ', colon: ': ', escape: ascii },
  'json.dumps(…, ensure_ascii=False) of Python': { comma: ', ', colon: ': ' },
  "json.dumps(…, separators=(',', ':')) of Python": { escape: ascii },
  'a library that sorts the fields': { isSorted: true },
  'json.Marshal of Go': { isSorted: true, escape: html },
  'to_json of Rails': { escape: html },
  'json_encode of PHP': { escape: (json) => ascii(json.replaceAll('/', '\\/')) },
  'JsonSerializer of .NET': {
    escape: (json) => {
      const inner = json.slice(1, -1).replaceAll('\\"', '\\u0022');
      const upper = (unit: string) => `\\u${hexOf(unit).toUpperCase()}`;
      return `"${inner.replaceAll(/[<>&'+`\u007f-\uffff]/g, upper)}"`;
    },
  },
};

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

function write(value: unknown, style: Style, depth = 1): string {
  const { comma = ',', colon = style.indent ? ': ' : ':', indent = 0, escape } = style;
  const line = (level: number) => (indent > 0 ? `\n${' '.repeat(indent * level)}` : '');
  const enclose = (open: string, parts: string[], close: string) =>
    parts.length === 0
      ? open + close
      : open + line(depth) + parts.join(comma + line(depth)) + line(depth - 1) + close;
  const text = (given: string) => (escape ?? String)(JSON.stringify(given));
  if (Array.isArray(value)) {
    return enclose(
      '[',
      value.map((item) => write(item, style, depth + 1)),
      ']',
    );
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (style.isSorted) entries.sort(([one], [other]) => (one < other ? -1 : 1));
    const fields = entries.map(
      ([name, item]) => `${text(name)}${colon}${write(item, style, depth + 1)}`,
    );
    return enclose('{', fields, '}');
  }
  return typeof value === 'string' ? text(value) : JSON.stringify(value);
}
