import type { SignatureCheck } from '#lib/contract/deliveries/signature-checks.ts';
import type { SignatureVerdict, bodyChanges } from '#lib/contract/deliveries/signature-verdicts.ts';
import { parseJson } from '#lib/parse-json.ts';

type ComparedBodies = NonNullable<SignatureCheck['body']>;

/** Compares the body that was sent with the one that a receiver's code saw, byte by byte. */
export function compareBodies(
  sent: string,
  pasted: string,
): { verdict: SignatureVerdict | null; body: ComparedBodies } {
  const [one, other] = [Buffer.from(sent), Buffer.from(pasted)];
  const sizes = { sent_bytes: one.length, pasted_bytes: other.length };
  if (one.equals(other)) return { verdict: null, body: { ...sizes, difference: null } };
  const verdict = verdictOn(sent, pasted);
  const at = firstDifference(one, other);
  const from = startOfExcerpt(one, at);
  const isSame = verdict === 'body_reserialized';
  const moved = isSame ? findMoved(parseJson(sent), parseJson(pasted)) : null;
  return {
    verdict,
    body: {
      ...sizes,
      difference: {
        at,
        from,
        sent: excerpt(one, from),
        pasted: excerpt(other, from),
        change: isSame ? changeOf({ moved, sent: one[at], pasted: other[at] }) : null,
        moved,
      },
    },
  };
}

function verdictOn(sent: string, pasted: string): SignatureVerdict {
  if (pasted.trim() === '') return 'body_empty';
  if (pasted.trim() === sent.trim()) return 'body_white_space';
  const misread = [
    Buffer.from(sent).toString('latin1'),
    new TextDecoder('windows-1252').decode(Buffer.from(sent)),
  ];
  if (misread.includes(pasted)) return 'body_encoding';
  if (sent.startsWith(pasted)) return 'body_truncated';
  const [one, other] = [parseJson(sent), parseJson(pasted)];
  return other !== undefined && haveSameValues(one, other) ? 'body_reserialized' : 'body_changed';
}

function firstDifference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}

const bytesBefore = 19;
const bytesShown = 52;

/** Never within a character. Up to there, both bodies are the same. */
function startOfExcerpt(bytes: Buffer, at: number): number {
  let from = Math.max(0, at - bytesBefore);
  while (from > 0 && isWithinCharacter(bytes[from])) from -= 1;
  return from;
}

function excerpt(bytes: Buffer, from: number): string {
  let to = Math.min(bytes.length, from + bytesShown);
  while (to > from && isWithinCharacter(bytes[to])) to -= 1;
  return bytes.toString('utf8', from, to);
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Deeper ones count as different: nothing that is sent is as deep. */
const maxDepth = 50;

/** Whether two values are the same, apart from the order of fields. */
function haveSameValues(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (depth > maxDepth || !isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && haveSameValues(one[name], other[name], depth + 1),
    )
  );
}

type Moved = NonNullable<ComparedBodies['difference']>['moved'];

/** The first field that follows another one than in what was sent. The values are the same. */
function findMoved(sent: unknown, pasted: unknown): Moved {
  if (!isObject(sent) || !isObject(pasted)) return null;
  const [names, others] = [Object.keys(sent), Object.keys(pasted)];
  for (const [index, field] of names.entries()) {
    const behind = others[index];
    if (behind === undefined) return null;
    if (behind !== field) return { field, behind };
    const inner = findMoved(sent[field], pasted[field]);
    if (inner) return inner;
  }
  return null;
}

function changeOf({
  moved,
  sent,
  pasted,
}: {
  moved: Moved;
  sent: number | undefined;
  pasted: number | undefined;
}): (typeof bodyChanges)[number] {
  if (moved) return 'order';
  const bytes = [sent, pasted].map((byte) => String.fromCharCode(byte ?? 0));
  if (bytes.some((byte) => /\s/.test(byte))) return 'white_space';
  return bytes.some((byte) => /[0-9.eE]/.test(byte)) && !bytes.includes('\\')
    ? 'numbers'
    : 'escapes';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
