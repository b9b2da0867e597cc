'use client';

import { useToast } from '#components/ui/feedback/toast.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';

import type { SecretKind } from '../leaving/use-leave-guard.ts';
import type { ConfirmationOutcome } from '../one-time-secret/use-one-time-closing.ts';
import { useAction } from './use-action.ts';

/** @param subject the name of the key or webhook */
type Confirmation = (
  subject: string,
  confirm: () => Promise<ActionResult>,
) => Promise<ConfirmationOutcome>;

/**
 * Returns a function that records that the person has the token or secret they were shown. Nobody
 * has to wait for it: if it fails or takes long, the token or secret stays unconfirmed, and its
 * page lets the person confirm it later.
 */
export function useConfirmation(kind: SecretKind): Confirmation {
  const { runInBackground } = useAction();
  const toast = useToast();

  const run: Confirmation = async (subject, confirm) => {
    let outcome: ConfirmationOutcome = 'unknown';
    await runInBackground(confirm, {
      onDone: () => {
        outcome = 'confirmed';
      },
      onNotDone: ({ code }) => {
        // The service refuses only a token or secret that is no longer the newest.
        if (code === 'VALIDATION_ERROR') outcome = 'replaced';
        else toast(`The new ${kind} could not be confirmed. Try again on the page of ${subject}.`);
      },
    });
    return outcome;
  };

  return async (subject, confirm) => {
    const { promise: tooLate, resolve } = Promise.withResolvers<ConfirmationOutcome>();
    const timer = setTimeout(() => resolve('unknown'), maxWaitMs);
    const outcome = await Promise.race([run(subject, confirm), tooLate]);
    clearTimeout(timer);
    return outcome;
  };
}

const maxWaitMs = 4000;
