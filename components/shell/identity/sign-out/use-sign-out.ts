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

/**
 * Signs the person out and leads to the sign-in page. If the sign-out fails, they stay on the page,
 * because the sign-in page would lead back into the session, which still exists. `SignOutFailure`
 * or `LazySignOutDialog` says so.
 */
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
