import type { ActorReference } from '../db/schema/columns.ts';
import { actorReference } from './actor.ts';
import type { Actor } from './actor.ts';

/** What is stored with a token or secret about whoever receives it in the answer. */
export type Shown = { revealedTo: ActorReference | null; unconfirmedSince: Date | null };

/**
 * A person sees it in the dashboard, in a dialog that can be closed too early: they have yet to
 * confirm having it. What the API answers to a key counts as confirmed.
 */
export function shownTo(actor: Actor, now: Date): Shown {
  return {
    revealedTo: actorReference(actor),
    unconfirmedSince: actor.kind === 'person' ? now : null,
  };
}

/** Made where nobody looks: somebody has yet to be shown another in its place. */
export function shownToNobody(now: Date): Shown {
  return { revealedTo: null, unconfirmedSince: now };
}
