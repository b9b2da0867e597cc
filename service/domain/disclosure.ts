import type { ActorReference } from '../db/schema/columns.ts';
import { actorReference } from './actor.ts';
import type { Actor } from './actor.ts';

/** What is stored with a token or secret about the one to whom a response discloses it. */
export type Disclosure = { shownTo: ActorReference | null; unconfirmedSince: Date | null };

/**
 * A person sees it in a dialog of the dashboard, which they may close too early, so it is
 * unconfirmed until they confirm that they have it. Everything that the API returns to a key counts
 * as confirmed.
 */
export function disclosedTo(actor: Actor, now: Date): Disclosure {
  return {
    shownTo: actorReference(actor),
    unconfirmedSince: actor.kind === 'person' ? now : null,
  };
}

/** For a token made in the background: a person who needs one asks for a new token. */
export function notDisclosed(now: Date): Disclosure {
  return { shownTo: null, unconfirmedSince: now };
}
