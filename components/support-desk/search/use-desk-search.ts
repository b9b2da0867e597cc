'use client';

import { useRef, useState } from 'react';

import { useFailureState } from '#components/shell/actions/use-failure-state.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import { findToken, searchDesk } from '#lib/actions/support-desk.ts';
import type { DeskResults, FoundToken } from '#lib/contract/support-desk/support-desk.ts';

import type { RefusedText } from './desk-search-box.tsx';
import { digestToken } from './digest-token.ts';
import { keepSearch, keptSearch } from './kept-search.ts';

/**
 * The outcome of the latest search. `searching`: null for a token, which must not be kept.
 * `returned`: the person came back from a result, and the text is in the box again.
 */
export type DeskOutcome =
  | { kind: 'returned'; search: string }
  | { kind: 'searching'; search: string | null }
  | { kind: 'results'; search: string; results: DeskResults }
  | { kind: 'token'; found: FoundToken }
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

  /** Replaces what is shown. The returned function says whether nothing has replaced it since. */
  function show(next: DeskOutcome | null): () => boolean {
    latest.current += 1;
    const own = latest.current;
    clearFailure();
    setOutcome(next);
    keepSearch(personId, next?.kind === 'searching' ? next.search : null);
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

  async function searchFor(text: string) {
    const isLatest = show({ kind: 'searching', search: text });
    await run(isLatest, searchDesk({ search: text }), ({ results }) => ({
      kind: 'results',
      search: text,
      results,
    }));
  }

  async function lookUp(token: string) {
    const isLatest = show({ kind: 'searching', search: null });
    const digest = await digestToken(token);
    if (!isLatest()) return;
    if (digest === null) show({ kind: 'refused', why: 'insecure-page' });
    else {
      await run(isLatest, findToken({ token_digest: digest }), ({ found }) => ({
        kind: 'token',
        found,
      }));
    }
  }

  /**
   * The text of the search before the person left the desk, or null. The search is not repeated,
   * because that would be recorded in the audit log of accounts without anybody asking for it.
   */
  function takeUp(): string | null {
    const search = keptSearch(personId);
    if (search !== null) setOutcome({ kind: 'returned', search });
    return search;
  }

  return {
    outcome,
    failure,
    deadline,
    secondsLeft,
    searchFor,
    lookUp,
    refuse: (why: RefusedText) => void show({ kind: 'refused', why }),
    clear: () => void show(null),
    takeUp,
  };
}
