import { readPasted } from '#lib/contract/support-desk/pasted-text.ts';

const stateKey = 'deskSearch';

export type SearchedAccount = { id: string; name: string };

type KeptSearch = { search: string; within: SearchedAccount | null };

/**
 * Keeps the latest search in the history entry of the desk, for Back from a result: its
 * link loads a page of an account in place of the desk. The entry belongs to this tab and is not
 * part of the URL, since a search may name people.
 *
 * @param kept null to keep none
 */
export function keepSearch(personId: string, kept: KeptSearch | null): void {
  const { [stateKey]: earlier, ...state } = stateOf(window.history);
  if (kept !== null && mayBeKept(kept.search)) {
    window.history.replaceState({ ...state, [stateKey]: { personId, ...kept } }, '');
  } else if (earlier !== undefined) window.history.replaceState(state, '');
}

/** What the same person searched for before they left this history entry, or null. */
export function keptSearch(personId: string): KeptSearch | null {
  const kept = stateOf(window.history)[stateKey] ?? {};
  const {
    personId: of,
    search,
    within = null,
  } = kept as Partial<KeptSearch & { personId: string }>;
  return of === personId && typeof search === 'string' ? { search, within } : null;
}

/**
 * Whether a text is surely no part of a token. A search by a part without its prefix is possible,
 * so a text with more than four characters in a row that look random is not kept.
 */
export function mayBeKept(search: string): boolean {
  if (readPasted(search).kind !== 'text') return false;
  const runs = search.replaceAll(uuid, '').match(/[0-9A-Za-z]{5,}/g) ?? [];
  return runs.every((run) => wordOrNumber.test(run));
}

const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;

const wordOrNumber = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/;

function stateOf(history: History): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
