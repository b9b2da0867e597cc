'use client';

import { useToast } from '#components/ui/feedback/toast.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';

import type { SecretKind } from '../one-time-secret/leave-guard.tsx';
import { useAction } from './use-action.ts';

/** @param subject the name of the key or webhook */
type Confirmation = (subject: string, confirm: () => Promise<ActionResult>) => Promise<void>;

/**
 * Returns a function that records that the person has the token or secret they were shown. Nobody
 * has to wait for it: if it fails or takes long, the token or secret stays unconfirmed, and its
 * page lets the person confirm it later.
 */
export function useConfirmation(kind: SecretKind): Confirmation {
  const { runInBackground } = useAction();
  const toast = useToast();

  const run: Confirmation = async (subject, confirm) => {
    await runInBackground(confirm, {
      onDone: () => undefined,
      onNotDone: () =>
        toast(`The new ${kind} could not be confirmed. Try again on the page of ${subject}.`),
    });
  };

  return async (subject, confirm) => {
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MOST_MS);
    await Promise.race([run(subject, confirm), tooLate]);
    clearTimeout(timer);
  };
}

const MOST_MS = 4000;
