import { useRef, useState } from 'react';
import { useFailureState } from '#components/shell/actions/use-failure-state.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { findToken, reportUnknownLeak, searchDesk } from '#lib/actions/support-desk.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import type { DeskKind, DeskResults, FoundToken } from '#lib/contract/support-desk/support-desk.ts';
import type { RefusedText } from './desk-search-box.tsx';
import { digestToken } from '#components/shell/search/digest-token.ts';
import { keepSearch, keptSearch, type SearchedAccount } from './kept-search.ts';

/**
 * The outcome of the latest search. `searching`: null for a token, which must not be kept.
 * `returned`: the person came back from a result, and the text is in the box again.
 */
export type DeskOutcome =
  | { kind: 'returned'; search: string }
  | { kind: 'searching'; search: string | null }
  | { kind: 'results'; search: string; results: DeskResults; reading: DeskKind | null }
  | { kind: 'token'; found: FoundToken; digest: string; isReported: boolean }
  | { kind: 'refused'; why: RefusedText | 'insecure-page' };

/**
 * The latest search at the desk. Each search replaces the one before, even one that is still
 * running: its result is ignored, because it would appear below another text.
 */
export function useDeskSearch(personId: string) {
  // Not stored in the URL: a search may name people, and each search is recorded.
  const [outcome, setOutcome] = useState<DeskOutcome | null>(null);
  const { clearFailure, showFailure, failure, deadline, secondsLeft } = useFailureState();
  const latest = useRef(0);
  const [within, setWithin] = useState<SearchedAccount | null>(null);

  /** Replaces what is shown. The returned function says whether nothing has replaced it since. */
  function show(next: DeskOutcome | null, account = within): () => boolean {
    latest.current += 1;
    const own = latest.current;
    clearFailure();
    setOutcome(next);
    const search = next?.kind === 'searching' ? next.search : null;
    keepSearch(personId, search === null ? null : { search, within: account });
    return () => latest.current === own;
  }

  async function run<Value extends object>(
    isLatest: () => boolean,
    call: Promise<ActionResult<Value>>,
    outcomeOf: (value: Value) => DeskOutcome,
  ) {
    const result = await catchFailedCall(call);
    if (!isLatest()) return;
    setOutcome(result.ok ? outcomeOf(result) : null);
    if (!result.ok) showFailure(result, () => undefined);
  }

  async function searchFor(text: string, account = within) {
    const isLatest = show({ kind: 'searching', search: text }, account);
    await run(
      isLatest,
      searchDesk({ body: { search: inAccount(text, account) } }),
      ({ data: results }) => ({
        kind: 'results',
        search: text,
        results,
        reading: null,
      }),
    );
  }

  /** Searches for the same text in one account, or again in all if it is null. */
  function searchIn(found: SearchedAccount | null) {
    const account = found && { id: found.id, name: found.name };
    setWithin(account);
    if (outcome?.kind === 'results') void searchFor(outcome.search, account);
  }

  /** Adds the next results of a kind. */
  async function showMore(of: DeskKind) {
    if (outcome?.kind !== 'results' || outcome.reading !== null) return;
    const { search, results } = outcome;
    const own = latest.current;
    clearFailure();
    setOutcome({ ...outcome, reading: of });
    const more = { of, skip: results[of].items.length };
    const result = await catchFailedCall(
      searchDesk({ body: { search: inAccount(search, within), more } }),
    );
    if (latest.current !== own) return;
    const shown = result.ok ? withMore(results, result.data, of) : results;
    setOutcome({ ...outcome, results: shown, reading: null });
    if (!result.ok) showFailure(result, () => undefined);
  }

  async function lookUp(token: string) {
    // A token is looked up in all accounts.
    setWithin(null);
    const isLatest = show({ kind: 'searching', search: null });
    const digest = await digestToken(token);
    if (!isLatest()) return;
    if (digest === null) show({ kind: 'refused', why: 'insecure-page' });
    else {
      await run(isLatest, findToken({ body: { token_digest: digest } }), ({ data: found }) => ({
        kind: 'token',
        found,
        digest,
        isReported: false,
      }));
    }
  }

  /** Reports the leak of a token that is unknown in the accounts that the person can open. */
  async function reportLeak() {
    if (outcome?.kind !== 'token') return;
    const own = latest.current;
    clearFailure();
    const result = await catchFailedCall(
      reportUnknownLeak({ body: { token_digest: outcome.digest } }),
    );
    if (latest.current !== own) return;
    if (result.ok) setOutcome({ ...outcome, isReported: true });
    else showFailure(result, () => undefined);
  }

  /**
   * The text of the search before the person left the desk, or null. The search is not repeated,
   * because that would be recorded in the audit log of accounts without anyone asking for it.
   */
  function takeUp(): string | null {
    const kept = keptSearch(personId);
    if (kept === null) return null;
    setOutcome({ kind: 'returned', search: kept.search });
    setWithin(kept.within);
    return kept.search;
  }

  return {
    outcome,
    failure,
    deadline,
    secondsLeft,
    within,
    searchFor,
    searchAll: (text: string) => {
      setWithin(null);
      void searchFor(text, null);
    },
    searchIn,
    showMore,
    lookUp,
    reportLeak,
    refuse: (why: RefusedText) => void show({ kind: 'refused', why }),
    clear: () => {
      show(null);
      setWithin(null);
    },
    takeUp,
  };
}

function inAccount(text: string, account: SearchedAccount | null): string {
  return account === null ? text : `account:${account.id} ${text}`;
}

function withMore(earlier: DeskResults, next: DeskResults, of: DeskKind): DeskResults {
  const { has_more } = next[of];
  return { ...earlier, [of]: { items: [...earlier[of].items, ...next[of].items], has_more } };
}
