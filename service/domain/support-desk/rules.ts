import { lastFourIn } from '#lib/contract/support-desk/pasted-text.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { splitSearch } from '#lib/contract/support-desk/split-search.ts';
import { parseResourceReference } from '../resource-reference.ts';

/** What a text at the support desk can match. */
export type DeskSearch = {
  /** The id or a part of the name of the account to search in; null: all accounts. */
  account: string | null;
  /** Each is a part of a name, URL or email address, or of the name of the account. */
  words: readonly string[];
  uuid: string | null;
  id: number | null;
  /** The last four characters of a token. */
  lastFour: string | null;
};

/** Which part of the matches a store reads. `roles`: those that may see them. */
export type FindInput = {
  search: DeskSearch;
  roles: readonly Role[];
  skip: number;
  limit: number;
};

/**
 * The possible meanings of a text: words in any case, an id if it is a number, a UUID, and the end
 * of a token if it has four characters. A masked token and a UUID have no other meaning.
 */
export function readSearch(search: string): DeskSearch {
  const { account, words } = splitSearch(search);
  const text = words.join(' ');
  const nothing = { account, words: [], uuid: null, id: null, lastFour: null };
  const masked = lastFourIn(text);
  if (masked !== null) return { ...nothing, lastFour: masked };
  const reference = parseResourceReference(text);
  if (reference?.kind === 'uuid') return { ...nothing, uuid: reference.uuid };
  return {
    account,
    words,
    uuid: null,
    id: reference?.id ?? null,
    lastFour: /^[0-9A-Za-z]{4}$/.test(text) ? text : null,
  };
}
