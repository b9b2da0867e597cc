import type { RouteDefinition } from '#lib/contract/route.ts';
import type { Actor, SignedInPerson } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';

/**
 * Refuses what changes something to a person whose session token was replaced a moment ago (403
 * SESSION_RENEWED): for other tabs and requests under way that token still reads.
 */
export function requireCurrentSession(
  { method, takesReplacedSession }: RouteDefinition,
  actor: Actor | SignedInPerson | null,
): void {
  if (actor === null || !('personId' in actor) || !actor.mayOnlyRead) return;
  if (method === 'GET' || takesReplacedSession) return;
  throw new ServiceError('SESSION_RENEWED');
}
