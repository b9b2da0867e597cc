import type { ActionFailure } from '#lib/actions/action-result.ts';
import { ActionFailurePanel } from '../../feedback/action-failure-panel.tsx';

/** Shows that the sign-out failed, so the person may still be signed in. */
export function SignOutFailure({ failure }: { failure: ActionFailure }) {
  return (
    <ActionFailurePanel
      failure={failure}
      notDone="You were not signed out"
      unknown="You may still be signed in"
      adviceIfUnknown="Until you are signed out, anyone with access to this device can use your session."
    />
  );
}
