import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import { mayAct, roles, type Act, type Role } from '#lib/contract/rights/roles.ts';
import { lastFourIn } from '#lib/contract/support-desk/pasted-text.ts';
import { splitSearch } from '#lib/contract/support-desk/split-search.ts';

/** What a text at the support desk can match. */
export type DeskSearch = {
  /** The id or a part of the name of the account to search in; null: all accounts. */
  account: string | null;
  /** Each is a part of a name, URL or email address, or of the name of the account. */
  words: readonly string[];
  /** Also that of a `webhook-id`, which is the UUID of an event. */
  uuid: string | null;
  /** Has up to 64 bits, more than those of keys and webhooks. */
  id: number | null;
  /** The last four characters of a token. */
  lastFour: string | null;
};

export function rolesThatMay(act: Act): Role[] {
  return roles.filter((role) => mayAct(role, act));
}

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
  const named = parseDeliverySubject(text);
  if (named?.kind === 'uuid') return { ...nothing, uuid: named.uuid };
  return {
    account,
    words,
    uuid: null,
    id: named?.id ?? null,
    lastFour: /^[0-9A-Za-z]{4}$/.test(text) ? text : null,
  };
}

/** A person who searches, with the facts that decide which accounts they can open now. */
export type Searcher = {
  personId: string;
  sessionId: string;
  isSupporter: boolean;
  hasFactor: boolean;
  /** When they signed in: each account limits how long ago that may be. */
  sessionBegan: Date;
  now: Date;
};
