import type { RouteDefinition } from '#lib/contract/route.ts';
import type { Context } from '../../context.ts';
import type { Actor, Provisioner, SignedInPerson } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';
import { proofExpiresAt } from '../../domain/people/sessions/session-end.ts';

type Caller = Actor | SignedInPerson | Provisioner;

/**
 * Refuses a person without a fresh proof, if the route needs one for this body (403
 * PROOF_REQUIRED). A dry run needs none, because it changes nothing. Call it after the check of the
 * request's shape: nobody should be asked for a proof, and then be told that their input is
 * invalid.
 */
export function requireProof(
  ctx: Context,
  { route, actor, body }: { route: RouteDefinition; actor: Caller | null; body: unknown },
): void {
  if (actor === null || !isProofNeeded(route, body) || hasFreshProof(ctx, actor)) return;
  throw new ServiceError('PROOF_REQUIRED');
}

function isProofNeeded({ needsProof }: RouteDefinition, body: unknown): boolean {
  if (isDryRun(body)) return false;
  if (typeof needsProof !== 'object') return needsProof === true;
  return isObject(body) && needsProof.fields.some((field) => Object.hasOwn(body, field));
}

function isDryRun(body: unknown): boolean {
  return isObject(body) && 'dry_run' in body && body.dry_run === true;
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null;
}

/** A key proves itself with each call; a person now and then, for a limited time. */
function hasFreshProof(ctx: Context, actor: Caller): boolean {
  return !('provedAt' in actor) || proofExpiresAt(ctx, actor.provedAt) > ctx.clock.now();
}

/**
 * Refuses calls of a person that change something if their session token was replaced a moment ago
 * (403 SESSION_RENEWED). Such a token can still read, for other tabs and requests in progress.
 */
export function requireCurrentSession(
  { method, takesReplacedSession }: RouteDefinition,
  actor: Caller | null,
): void {
  if (actor === null || !('personId' in actor) || !actor.mayOnlyRead) return;
  if (method === 'GET' || takesReplacedSession) return;
  throw new ServiceError('SESSION_RENEWED');
}
