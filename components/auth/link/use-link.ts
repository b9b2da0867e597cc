import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ActionState } from '#components/shell/actions/use-sending.ts';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { openLink } from '#lib/actions/people/signing-in.ts';
import type { LinkKind } from '#lib/contract/people/links.ts';

/**
 * The state of the page of a link.
 *
 * - `unopened`: the URL has a token, and nothing was sent yet.
 * - `no link`: the URL has no token, and no link was opened in this browser.
 * - `refused`: the link was used, replaced or has expired; the service says which and what to do.
 * - `failed`: it could not be checked.
 * - `open`: the link is valid.
 */
export type LinkStage<Checked> =
  | { name: 'reading' }
  | { name: 'unopened' }
  | { name: 'no-link' }
  | { name: 'refused'; reason: string }
  | { name: 'failed'; failure: ActionFailure }
  | { name: 'open'; checked: Checked };

type LinkOptions<Checked extends object> = {
  kind: LinkKind;
  /** The name of the token in the service's errors. */
  field: string;
  /** Asks the service whether the link that was opened is valid, without using it up. */
  check: () => Promise<ActionResult<{ data: Checked }>>;
};

export type Link<Checked> = {
  stage: LinkStage<Checked>;
  action: ActionState;
  /** Opens the link, or checks it again after that failed. */
  open: () => void;
  /** Call it with a failure of the link's action. False: the failure is not about the link. */
  refuse: (failure: ActionFailure) => boolean;
};

/**
 * The link with which a page was opened. Its token is in the URL's fragment, which is not sent to
 * servers and not logged, and is removed from the address bar and the history entry. The browser's
 * own history still has it, so a link is opened first: a press exchanges the token for a cookie, and
 * then it is void everywhere else. Opening the page alone sends nothing, because programs that check
 * emails open links too.
 */
export function useLink<Checked extends object>({
  kind,
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

  async function openAndCheck(): Promise<ActionResult<{ data: Checked }>> {
    const { current } = token;
    if (current !== null) {
      // Tells Next that the fragment is gone: with its response, it writes the address it knows.
      window.history.replaceState(null, '', window.location.pathname);
      const opened = await openLink({ body: { kind, token: current } });
      if (!opened.ok) return opened;
      token.current = null;
    }
    return await check();
  }

  async function open() {
    await runInBackground(openAndCheck, {
      onDone: ({ data: checked }) => setStage({ name: 'open', checked }),
      onNotDone: (failure) => {
        if (refuse(failure)) return;
        const isNone = failure.code === 'VALIDATION_ERROR';
        setStage(isNone ? { name: 'no-link' } : { name: 'failed', failure });
      },
    });
  }

  const readAddress = useEffectEvent(() => {
    token.current = takeFragment() ?? token.current;
    if (token.current !== null) {
      setStage({ name: 'unopened' });
      return;
    }
    void open();
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

  return { stage, action, open: () => void open(), refuse };
}

/** Reads the fragment and removes it from the address bar and the history entry. */
function takeFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === '') return null;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return fragment;
}
