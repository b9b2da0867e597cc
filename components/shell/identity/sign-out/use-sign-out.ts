import { useState } from 'react';
import { usePublicAction } from '../../actions/use-action.ts';
import type { ActionState } from '../../actions/use-sending.ts';
import { endSessionHere, leaveForSignIn } from './sign-out.ts';

export type SigningOut = {
  signOut: () => void;
  action: ActionState;
  /** True from the first failure on, also while it is tried again. */
  hasFailed: boolean;
  dismissFailure: () => void;
};

/** Signs out and leads to the sign-in page; after a failure stays, and `SignOutFailure` says so. */
export function useSignOut(): SigningOut {
  const { runInBackground, ...action } = usePublicAction();
  const [hasFailed, setHasFailed] = useState(false);
  return {
    signOut: () =>
      void runInBackground(endSessionHere, {
        onDone: leaveForSignIn,
        onNotDone: () => setHasFailed(true),
      }),
    action,
    hasFailed,
    dismissFailure: () => setHasFailed(false),
  };
}
