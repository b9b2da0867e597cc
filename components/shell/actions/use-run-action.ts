'use client';

import { createContext, use } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

/**
 * Calls a server action and gives what became of it. Where the service first wants to know who is
 * asking (the session ended, or the password was given too long ago), the person is asked on the
 * spot and the same call is made again: a refused call did nothing, so nothing happens twice.
 *
 * Without network the call itself rejects, and left alone that would replace the page and what was
 * typed into it; it resolves to UNAVAILABLE instead.
 */
export type RunAction = <Result extends ActionResult>(
  call: () => Promise<Result>,
) => Promise<Result | ActionFailure>;

/** The way to do anything that only a signed-in person may. */
export function useRunAction(): RunAction {
  return useIdentity().runAction;
}

/**
 * Whether the person was asked who they are and closed the question: nothing was done, nothing
 * needs to be said, and the form stays as it was.
 */
export function isIdentityPromptCancelled({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'PROOF_REQUIRED' || code === 'UNAUTHORIZED';
}

type Identity = {
  runAction: RunAction;
  /** The session ended, and the question to sign in again was closed. */
  isSessionEnded: boolean;
  /** Opens the question to sign in again. */
  signInAgain: () => void;
};

export const IdentityContext = createContext<Identity | null>(null);

export function useIdentity(): Identity {
  const identity = use(IdentityContext);
  if (identity === null)
    throw new Error('This stands outside the frame, where nobody is signed in.');
  return identity;
}
