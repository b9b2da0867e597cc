import { lastFourIn } from '#lib/contract/support-desk/pasted-text.ts';
import { parseResourceReference } from '../resource-reference.ts';

/** What a text at the support desk can match; null for what it cannot match. */
export type DeskSearch = {
  /** A part of a name, URL or email address. */
  text: string | null;
  uuid: string | null;
  id: number | null;
  /** The last four characters of a token. */
  lastFour: string | null;
};

/**
 * The possible meanings of a text: a part of a name in any case, an id if it is a number, a UUID,
 * and the end of a token if it has four characters. A masked token has no other meaning.
 */
export function readSearch(search: string): DeskSearch {
  const nothing = { text: null, uuid: null, id: null, lastFour: null };
  const masked = lastFourIn(search);
  if (masked !== null) return { ...nothing, lastFour: masked };
  const reference = parseResourceReference(search);
  return {
    text: search,
    uuid: reference?.kind === 'uuid' ? reference.uuid : null,
    id: reference?.kind === 'id' ? reference.id : null,
    lastFour: /^[0-9A-Za-z]{4}$/.test(search) ? search : null,
  };
}
