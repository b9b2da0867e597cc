import { ErrorPanel } from '#components/shell/error-panel.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';

type ApiKeyFormFailureProps = { did: 'created' | 'changed'; failure: ActionFailure };

/** Why no key came back, where that belongs to no single field. */
export function ApiKeyFormFailure({ did, failure }: ApiKeyFormFailureProps) {
  // The answer was lost, which says nothing about the act.
  const isUnknown = failure.code === 'UNAVAILABLE';
  const advice =
    did === 'created' ? ' Look into the list before you try again.' : ' Saving again is safe.';
  return (
    <ErrorPanel
      title={isUnknown ? `It is unknown whether the key was ${did}` : `The key was not ${did}`}
      message={isUnknown ? failure.message + advice : failure.message}
      requestId={failure.requestId}
    />
  );
}
