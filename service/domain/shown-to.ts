import type { ActorReference } from '../db/schema/columns.ts';
import { actorReference } from './actor.ts';
import type { Actor } from './actor.ts';

/** What is stored with a token or secret about the person or key that gets it in the response. */
export type Shown = { shownTo: ActorReference | null; unconfirmedSince: Date | null };

/**
 * A person sees it in a dialog of the dashboard, which they may close too early, so it is
 * unconfirmed until they say that they have it. Everything that the API returns to a key counts as
 * confirmed.
 */
export function shownTo(actor: Actor, now: Date): Shown {
  return {
    shownTo: actorReference(actor),
    unconfirmedSince: actor.kind === 'person' ? now : null,
  };
}

/**
 * For a token that is made in the background. Nobody has seen it: whoever needs one asks for a new
 * token in its place.
 */
export function shownToNobody(now: Date): Shown {
  return { shownTo: null, unconfirmedSince: now };
}
