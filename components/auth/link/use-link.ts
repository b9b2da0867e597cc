'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { ActionState } from '#components/shell/actions/use-sending.ts';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

/**
 * The state of the page of a link.
 *
 * - `no link`: the URL has no token, or an invalid one.
 * - `refused`: the link was used, replaced or has expired; the service says which and what to do.
 * - `failed`: it could not be checked.
 * - `open`: the link is valid.
 */
export type LinkStage<Checked> =
  | { name: 'reading' }
  | { name: 'no-link' }
  | { name: 'refused'; reason: string }
  | { name: 'failed'; failure: ActionFailure }
  | { name: 'open'; token: string; checked: Checked };

type LinkOptions<Checked extends object> = {
  /** The name of the token in the service's errors. */
  field: string;
  /** Asks the service whether the token is valid, without using it up. */
  check: (token: string) => Promise<ActionResult<Checked>>;
};

export type Link<Checked> = {
  stage: LinkStage<Checked>;
  action: ActionState;
  /** Checks the link again after that failed. */
  checkAgain: () => void;
  /**
   * Call it with a failure of the action that the link is for. Returns false if the failure is not
   * about the link.
   */
  refuse: (failure: ActionFailure) => boolean;
};

/**
 * The link with which a page was opened. Its token is in the URL's fragment, which is not sent to
 * servers and not logged, and is removed from the address bar and the history entry. The token is
 * checked by POST, so an email scanner that opens the page does not use it up.
 */
export function useLink<Checked extends object>({
  field,
  check,
}: LinkOptions<Checked>): Link<Checked> {
  const [stage, setStage] = useState<LinkStage<Checked>>({ name: 'reading' });
  const { runInBackground, ...action } = usePublicAction();
  const token = useRef<string | null>(null);

  function refuse({ details }: ActionFailure): boolean {
    const reason = details?.[field]?.[0];
    if (reason === undefined) return false;
    setStage({ name: 'refused', reason });
    return true;
  }

  async function checkToken() {
    const { current } = token;
    if (current === null) {
      setStage({ name: 'no-link' });
      return;
    }
    setStage({ name: 'reading' });
    await runInBackground(() => check(current), {
      onDone: (checked) => setStage({ name: 'open', token: current, checked }),
      onNotDone: (failure) => {
        if (refuse(failure)) return;
        const isNone = failure.code === 'VALIDATION_ERROR';
        setStage(isNone ? { name: 'no-link' } : { name: 'failed', failure });
      },
    });
  }

  const readAddress = useEffectEvent(() => {
    token.current = takeFragment() ?? token.current;
    void checkToken();
  });

  useEffect(() => {
    readAddress();
    // A new link that is pasted into the same tab changes only the fragment, which loads no page.
    const onHashChange = () => {
      if (window.location.hash.length > 1) readAddress();
    };
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, []);

  return { stage, action, checkAgain: () => void checkToken(), refuse };
}

/** Reads the fragment and removes it from the address bar and the history entry. */
function takeFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === '') return null;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return fragment;
}
