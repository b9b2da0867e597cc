import { actorReference } from './actor-reference.ts';
import { timestamp } from './fields.ts';

/** A token or secret that was shown in the dashboard to someone who has not confirmed it. */
export const unconfirmedFields = {
  since: timestamp.describe('When it was shown.'),
  shown_to: actorReference.describe('To whom.'),
};
