import type { Actor } from '../../actor.ts';
import { forbidden } from '../../errors.ts';
import type { TokenRow } from '../store/tokens.ts';

/**
 * Refuses to replace an unused token for an actor who may not end tokens: somebody may be about to
 * put it to use, unless it was shown to nobody but the actor.
 *
 * @throws ServiceError FORBIDDEN
 */
export function refuseToReplace(actor: Actor, { lastFour, revealedTo }: TokenRow): void {
  if (actor.kind === 'person' && revealedTo?.id === actor.personId) return;
  const shownTo = revealedTo ? `was shown to ${revealedTo.name}` : 'was shown to nobody';
  throw forbidden(
    `The newest token, ending in ${lastFour}, ${shownTo} and was never used: a rotation would end it at once, which your role cannot do. Request a rotation instead.`,
  );
}
