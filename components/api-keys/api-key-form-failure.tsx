import { ErrorPanel } from '#components/shell/error-panel.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

type ApiKeyFormFailureProps = { did: 'created' | 'changed'; failure: ActionFailure };

/** Why no key came back, where that belongs to no single field. */
export function ApiKeyFormFailure({ did, failure }: ApiKeyFormFailureProps) {
  const isUnknown = isOutcomeUnknown(failure);
  const advice =
    did === 'created'
      ? ' Look for its name in the list before you try again: if it stands there, it was made, and rotating it gives a token.'
      : ' Saving again is safe.';
  return (
    <ErrorPanel
      title={isUnknown ? `It is unknown whether the key was ${did}` : `The key was not ${did}`}
      message={isUnknown ? failure.message + advice : failure.message}
      requestId={failure.requestId}
    />
  );
}
