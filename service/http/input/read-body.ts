import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import { refuseAsUnavailable, type Workload } from '../../domain/capacity/workload.ts';
import { invalid, invalidFields, ServiceError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';
import { checkInput } from './check-input.ts';
import { isWithinJsonLimits, maxDepth, maxValues } from './json-limits.ts';

/** 1 MiB, as the message of PAYLOAD_TOO_LARGE says. */
const largestBodyBytes = 1_048_576;

/**
 * Finds what is wrong with fields by rules that the schema cannot state, such as those of the
 * installation. The verb applies these rules itself; here they only complete the errors in a body
 * that the schema refuses.
 *
 * @param given the fields of that body that the schema accepts
 */
type BodyRules = (given: Readonly<Record<string, unknown>>) => ErrorDetails | Promise<ErrorDetails>;

/**
 * Reads the request body as JSON and parses it with the route's schema. An empty body counts as
 * `{}`, regardless of its content type; so do white space, `[]` and `null` on a route whose body is
 * optional. Returns it as parsed, and as it was sent.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE above 1 MiB, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR also
 *   for more than 5,000 values or 32 levels, UNAVAILABLE if too many other bodies are being read
 */
export async function readBody(
  call: Call,
  schema: z.ZodType,
  { workload, rules }: { workload: Workload; rules: BodyRules },
): Promise<{ body: unknown; sentBody: unknown }> {
  const bytes = await readBytes(call, workload);
  const isEmpty = bytes.length === 0 || (isEmptyBody(bytes) && isOptional(schema));
  const value = isEmpty ? {} : parseJson(call, bytes);
  const checked = checkInput(schema, value);
  if ('parsed' in checked) return { body: checked.parsed, sentBody: value };
  const given = acceptedFields(value, checked.details);
  const more = given && (await rules(given));
  // The schema's details come first. They also come last, because a rule may miss a field that the
  // schema refused, and the schema says more about it.
  throw invalidFields({ ...checked.details, ...more, ...checked.details });
}

function parseJson(call: Call, bytes: Buffer): unknown {
  if (!isPlainJson(call.header('Content-Type'), call.header('Content-Encoding'))) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  }
  if (!isWithinJsonLimits(bytes)) {
    throw invalid('body', `Send at most ${maxValues} values, nested at most ${maxDepth} deep.`);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('body', 'This is not valid JSON in UTF-8.');
  }
}

/** Null if the body is not an object. A field that the schema refused may be too long to read. */
function acceptedFields(body: unknown, details: ErrorDetails): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  return Object.fromEntries(
    Object.entries(body).filter(([field]) => !Object.hasOwn(details, field)),
  );
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse({}).success;
}

/** Reserves memory until the body is read: its Content-Length, or the bytes so far. */
async function readBytes(call: Call, workload: Workload): Promise<Buffer> {
  const sender = call.caller?.accountId ?? call.origin.ip;
  const length = call.header('Content-Length');
  if (length === undefined) return await readChunks(call.request, { sender, workload });
  const size = Number(length);
  if (size > largestBodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
  const memory = workload.bodies.reserve(sender);
  if (!memory.growTo(size)) await refuseAsUnavailable();
  try {
    // No body is longer than its Content-Length, and reading it as a whole needs no web stream.
    return Buffer.from(await call.request.arrayBuffer());
  } catch {
    throw brokenOff();
  } finally {
    memory.release();
  }
}

async function readChunks(
  { body }: Request,
  { sender, workload }: { sender: string; workload: Workload },
): Promise<Buffer> {
  const memory = workload.bodies.reserve(sender);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > largestBodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
      if (!memory.growTo(size)) await refuseAsUnavailable();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw error instanceof ServiceError ? error : brokenOff();
  } finally {
    memory.release();
  }
}

/** The client disconnected during the request, which is not logged as an error of the service. */
function brokenOff(): ServiceError {
  return invalid('body', 'The body ended before it was complete.');
}

const maxMediaTypeLength = 256;

function isPlainJson(type: string | undefined, encoding: string | undefined): boolean {
  if ((type ?? '').length > maxMediaTypeLength) return false;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  const [mediaType, ...parameters] = (type ?? 'application/json').toLowerCase().split(';');
  const isJson = /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(mediaType?.trim() ?? '');
  return isJson && parameters.every((text) => !/charset=(?!"?utf-8"?\s*$)/.test(text.trim()));
}

/** The white space of JSON, as bytes. */
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Longer than any empty body, apart from the white space around it. */
const maxBytes = 64;

/**
 * Whether a body has no content: no bytes, white space, `{}`, `[]` (PHP's empty array) or `null`
 * (which axios sends). Clients send these with any content type.
 */
function isEmptyBody(bytes: Buffer): boolean {
  let start = 0;
  let end = bytes.length;
  while (start < end && whiteSpace.has(bytes[start] ?? 0)) start += 1;
  while (end > start && whiteSpace.has(bytes[end - 1] ?? 0)) end -= 1;
  if (end - start > maxBytes) return false;
  return /^(?:null|\[\s*\]|\{\s*\})?$/.test(bytes.toString('latin1', start, end));
}
