import { memberMay } from '#lib/contract/api-keys/ceiling.ts';
import type { Actor } from '../actor.ts';

/**
 * Whether the actor may read what customers wrote. A key that got as far as to ask may: that is
 * what `events:read` is for. Of the members only some roles may, and support where an owner lets them.
 */
export function mayReadPayloads(actor: Actor): boolean {
  return actor.kind === 'api_key' || memberMay(actor, 'payloads.read');
}
