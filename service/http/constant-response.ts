import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Call } from './call.ts';

type Encoding = 'br' | 'gzip';

/** A large JSON text that is the same for all callers, in every encoding in which it is sent. */
export type ConstantResponse = {
  text: string;
  tag: string;
  compressed: ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>>;
};

/** Compresses a text once, with the best compression. */
export async function makeConstantResponse(text: string): Promise<ConstantResponse> {
  const bytes = Buffer.from(text);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  return {
    text,
    // Weak, because every encoding of the text has the same tag.
    tag: `W/"${hash('sha256', text, 'base64url')}"`,
    compressed: new Map([
      ['br', new Uint8Array(br)],
      ['gzip', new Uint8Array(gz)],
    ]),
  };
}

/**
 * Sends the text in the smallest encoding that the client accepts, or 304 if the client already has
 * it.
 *
 * @param options.needsCaller whether only authenticated callers get it, so that no shared cache may
 *   store it
 */
export function sendConstantResponse(
  call: Call,
  { text, tag, compressed }: ConstantResponse,
  { needsCaller }: { needsCaller: boolean },
): Response {
  call.setHeader('ETag', tag);
  call.setHeader('Vary', 'Accept-Encoding');
  // Clients may store it, but must revalidate it before each use.
  call.setHeader('Cache-Control', needsCaller ? 'private, no-cache' : 'no-cache');
  if (hasTag(call.header('If-None-Match'), tag)) return call.respond(304, null);
  call.setHeader('Content-Type', 'application/json');
  const accepted = acceptedEncodings(call.header('Accept-Encoding'));
  for (const [encoding, bytes] of compressed) {
    if (!accepted.has(encoding)) continue;
    call.setHeader('Content-Encoding', encoding);
    return call.respond(200, bytes);
  }
  return call.respond(200, text);
}

/** Whether `If-None-Match` names this tag, weak or strong (RFC 9110, 13.1.2). */
function hasTag(header: string | undefined, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '');
  const given = (header ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(opaque);
}

/** The encodings in `Accept-Encoding`, without those with a weight of 0 (RFC 9110, 12.5.3). */
function acceptedEncodings(header: string | undefined): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((text) => /^q=0(?:\.0{0,3})?$/.test(text))) accepted.add(name);
  }
  return accepted;
}
