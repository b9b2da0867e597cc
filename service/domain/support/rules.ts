import { lastFourIn } from '#lib/contract/support/pasted-text.ts';
import { parseResourceReference } from '../resource-reference.ts';

/** What a text at the support desk looks for; null: not for that. */
export type DeskSearch = {
  /** A part of a name, URL or email address. */
  text: string | null;
  uuid: string | null;
  id: number | null;
  /** Of a token. */
  lastFour: string | null;
};

/**
 * What somebody may mean by a text: a part of a name in any case, and besides an id if it is a number,
 * and the end of a token if it has four characters. A UUID and a masked token mean nothing else.
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
