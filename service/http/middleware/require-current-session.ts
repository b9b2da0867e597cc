import type { RouteDefinition } from '#lib/contract/route.ts';
import type { Actor, SignedInPerson } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';

/**
 * Refuses calls of a person that change something if their session token was replaced a moment ago
 * (403 SESSION_RENEWED). Such a token can still read, for other tabs and requests in progress.
 */
export function requireCurrentSession(
  { method, takesReplacedSession }: RouteDefinition,
  actor: Actor | SignedInPerson | null,
): void {
  if (actor === null || !('personId' in actor) || !actor.mayOnlyRead) return;
  if (method === 'GET' || takesReplacedSession) return;
  throw new ServiceError('SESSION_RENEWED');
}
