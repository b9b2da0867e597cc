import { notFound } from './errors.ts';

/** How a path names a resource: by its integer id or by its UUID. */
export type ResourceReference = { kind: 'id'; id: number } | { kind: 'uuid'; uuid: string };

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const largestInteger = 2_147_483_647;

/** For resources whose ids are counted in 64 bits. */
export const largestBigId = Number.MAX_SAFE_INTEGER;

/** Reads a path parameter; null if nothing can have that name: callers respond with 404. */
export function parseResourceReference(
  text: string,
  largestId = largestInteger,
): ResourceReference | null {
  if (text.length > 36) return null;
  if (isUuid(text)) return { kind: 'uuid', uuid: text.toLowerCase() };
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return id <= largestId ? { kind: 'id', id } : null;
}

/** Whether a text is a UUID, in any case. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** Reads the path parameter of a resource named by UUID only. @throws ServiceError NOT_FOUND */
export function parseUuid(text: string): string {
  const reference = parseResourceReference(text);
  if (reference?.kind !== 'uuid') throw notFound();
  return reference.uuid;
}
