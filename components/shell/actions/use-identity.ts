import { createContext, use } from 'react';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

/**
 * Calls a server action and returns its result. If the session has ended, or the action needs a
 * fresh proof, it prompts for the password and then makes the same call again. The refused call did
 * nothing, so nothing happens twice.
 *
 * Without network, or if the page is from before an upgrade, the call rejects, which would replace
 * the page with an error page; the result is UNAVAILABLE or PAGE_OUTDATED instead.
 */
export type RunAction = <Result extends ActionResult>(
  call: () => Promise<Result>,
) => Promise<Result | ActionFailure>;

type Identity = {
  personId: string;
  runAction: RunAction;
  /** The session has ended, and the prompt to sign in again was closed. */
  isSessionEnded: boolean;
  /** Opens the prompt to sign in again. */
  signInAgain: () => void;
};

export const IdentityContext = createContext<Identity | null>(null);

export function useIdentity(): Identity {
  const identity = use(IdentityContext);
  if (identity === null) throw new Error('useIdentity must be used within IdentityProvider.');
  return identity;
}

/** For every server action that needs a session. */
export function useRunAction(): RunAction {
  return useIdentity().runAction;
}

/** Whether the person closed the identity prompt: then the form stays, without a message. */
export function isIdentityPromptCancelled({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'PROOF_REQUIRED' || code === 'UNAUTHORIZED';
}
