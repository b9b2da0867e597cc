import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';

/** How a path names a rotation request. @throws ServiceError NOT_FOUND for what can name none */
export function parseRequestUuid(text: string): string {
  const reference = parseResourceReference(text);
  if (reference?.kind !== 'uuid') throw notFound();
  return reference.uuid;
}
