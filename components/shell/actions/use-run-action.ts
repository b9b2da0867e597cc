'use client';

import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type RunAction, useIdentity } from './use-identity.ts';

/** For every server action that needs a session. */
export function useRunAction(): RunAction {
  return useIdentity().runAction;
}

/**
 * Whether the action was not carried out because the person closed the identity prompt. No message
 * is needed then, and the form stays as it was.
 */
export function isIdentityPromptCancelled({ code }: Pick<ActionFailure, 'code'>): boolean {
  return code === 'PROOF_REQUIRED' || code === 'UNAUTHORIZED';
}
