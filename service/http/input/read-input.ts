import type { Call } from '../call.ts';
import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import { ServiceError, invalid } from '../../domain/errors.ts';
import { refuseAsUnavailable } from '../../domain/capacity/refuse-as-unavailable.ts';
import type { Workload } from '../../domain/capacity/workload.ts';
import { isEmptyBody } from './is-empty-body.ts';
import { isWithinJsonLimits } from './json-shape.ts';

const largestBodyBytes = 1_048_576;

/** Longer than any path parameter: an integer, a UUID, or the id of a session. */
const maxReferenceLength = 64;

/**
 * Reads the path parameters. A parameter that cannot name anything, because it is too long or
 * contains NUL, is read as an empty name, so that it later gets the response for a resource that
 * does not exist.
 */
export function readParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, canNameSomething(value) ? value : '']),
  );
}

function canNameSomething(value: string): boolean {
  return value.length <= maxReferenceLength && !value.includes('\0');
}

/**
 * Parses the query string with the route's schema. If a parameter is given twice, the first one
 * counts.
 */
export function readQuery(call: Call, schema: z.ZodType): unknown {
  return parse(schema, call.query);
}

/** Reads the `Idempotency-Key` of the request. @throws ServiceError VALIDATION_ERROR */
export function readIdempotencyKey(call: Call): string | null {
  const key = call.header('Idempotency-Key');
  if (key === undefined) return null;
  if (key.length <= 255 && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid('Idempotency-Key', 'Use 1 to 255 visible ASCII characters without spaces.');
}

/**
 * Finds what is wrong with the text in a field by rules that the schema cannot state, such as those
 * of the installation. The verb applies these rules itself; here they only complete the errors in a
 * body that the schema refuses.
 */
export type FieldRules = Readonly<Record<string, (text: string) => string | undefined>>;

/**
 * Reads the request body as JSON and parses it with the route's schema. An empty body counts as
 * `{}`, whatever its content type; so do white space, `[]` and `null` on a route whose body is
 * optional.
 *
 * @throws ServiceError PAYLOAD_TOO_LARGE above 1 MiB, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR also
 *   for more than 5,000 values or 32 levels, UNAVAILABLE if too many other bodies are being read
 */
export async function readBody(
  call: Call,
  schema: z.ZodType,
  { workload, rules }: { workload: Workload; rules: FieldRules },
): Promise<unknown> {
  const bytes = await readBytes(call, workload);
  if (bytes.length === 0 || (isEmptyBody(bytes) && isOptional(schema))) return parse(schema, {});
  if (!isPlainJson(call.header('Content-Type'), call.header('Content-Encoding'))) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  }
  if (!isWithinJsonLimits(bytes)) {
    throw invalid('body', 'Send at most 5000 values, nested at most 32 deep.');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('body', 'This is not valid JSON in UTF-8.');
  }
  return parse(schema, value, rules);
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse({}).success;
}

/**
 * Reserves memory until the body is read: for its Content-Length, or for the bytes received so far.
 */
async function readBytes(call: Call, workload: Workload): Promise<Buffer> {
  const sender = call.caller?.accountId ?? call.origin.ip;
  const length = call.header('Content-Length');
  if (length === undefined) return await readChunks(call.request, { sender, workload });
  const size = Number(length);
  if (size > largestBodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
  if (!workload.bodies.grow(sender, 0, size)) await refuseAsUnavailable();
  try {
    // No body is longer than its Content-Length, and reading it as a whole needs no web stream.
    return Buffer.from(await call.request.arrayBuffer());
  } catch {
    throw brokenOff();
  } finally {
    workload.bodies.leave(sender, size);
  }
}

async function readChunks(
  { body }: Request,
  { sender, workload }: { sender: string; workload: Workload },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      const grown = size + chunk.byteLength;
      if (grown > largestBodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
      if (!workload.bodies.grow(sender, size, grown)) await refuseAsUnavailable();
      size = grown;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    throw error instanceof ServiceError ? error : brokenOff();
  } finally {
    workload.bodies.leave(sender, size);
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

function parse(schema: z.ZodType, value: unknown, rules: FieldRules = {}): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = detailsOf(result.error);
  for (const [field, findProblem] of Object.entries(rules)) {
    // A text that the schema refused may be too long to read.
    const text = details[field] === undefined ? textOf(value, field) : undefined;
    const problem = typeof text === 'string' ? findProblem(text) : undefined;
    if (problem !== undefined) details[field] = [problem];
  }
  throw new ServiceError('VALIDATION_ERROR', { details });
}

function textOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && field in value
    ? (value as Record<string, unknown>)[field]
    : undefined;
}

/** Messages by top-level field; messages about no single field are under `body`. */
export function detailsOf(error: z.ZodError): ErrorDetails {
  const messages = new Map<string, Set<string>>();
  const add = (field: string, message: string) =>
    messages.set(field, (messages.get(field) ?? new Set()).add(message));
  // A text in place of a list is also too long for the list.
  const ofWrongType = new Set(
    error.issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')),
  );
  for (const issue of error.issues) {
    if (issue.code !== 'invalid_type' && ofWrongType.has(issue.path.join('.'))) continue;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, 20)) add(key.slice(0, 100), 'This field is unknown.');
    } else if (issue.code === 'invalid_type' && issue.path.length === 0) {
      add('body', 'Send a JSON object.');
    } else if (issue.path.length > 0) {
      add(String(issue.path[0]), issue.message);
    }
  }
  if (messages.size === 0) for (const issue of error.issues) add('body', issue.message);
  return Object.fromEntries([...messages].map(([field, texts]) => [field, [...texts]]));
}
