import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import {
  type ActionFailure,
  isOutcomeUnknown,
  isRepeatRefused,
} from '#lib/actions/action-result.ts';

type ApiKeyFormFailureProps = { did: 'created' | 'changed'; failure: ActionFailure };

/** Why the key was not created or changed, if the reason is not about a single field. */
export function ApiKeyFormFailure({ did, failure }: ApiKeyFormFailureProps) {
  if (isRepeatRefused(failure)) {
    return (
      <ErrorPanel
        title="The key exists already"
        message="An earlier attempt created it, but its token can no longer be shown. Look for its name in the list and rotate it to get a token."
        requestId={failure.requestId}
      />
    );
  }
  const isUnknown = isOutcomeUnknown(failure);
  const advice =
    did === 'created'
      ? ' Press “Create key” again without changing anything: you get a token, and no second key is made. After 10 minutes, look for its name in the list instead and rotate it.'
      : ' Saving again is safe.';
  return (
    <ErrorPanel
      title={isUnknown ? `It is unknown whether the key was ${did}` : `The key was not ${did}`}
      message={isUnknown ? failure.message + advice : failure.message}
      requestId={failure.requestId}
    />
  );
}
