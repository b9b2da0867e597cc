import type { Actor } from '../../actor.ts';
import { forbidden } from '../../errors.ts';
import type { TokenRow } from '../store/tokens.ts';

/**
 * Refuses to replace an unused token for an actor who may not end tokens, unless the token was
 * shown to nobody but the actor: somebody else may be about to use it.
 *
 * @throws ServiceError FORBIDDEN
 */
export function refuseToReplace(actor: Actor, { lastFour, shownTo }: TokenRow): void {
  if (actor.kind === 'person' && shownTo?.id === actor.personId) return;
  const shown = shownTo ? `was shown to ${shownTo.name}` : 'was shown to nobody';
  throw forbidden(
    `The newest token, ending in ${lastFour}, ${shown} and was never used: a rotation would end it at once, which your role cannot do. Request a rotation instead.`,
  );
}
