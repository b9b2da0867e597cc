import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

type WebhookFormFailureProps = { did: 'created' | 'changed'; failure: ActionFailure };

/** Why the webhook was not created or changed, if the reason is not about a single field. */
export function WebhookFormFailure({ did, failure }: WebhookFormFailureProps) {
  const isUnknown = isOutcomeUnknown(failure);
  const advice =
    did === 'created'
      ? ' Look for its name in the list before you try again: if it stands there, it was made, and Finish set-up goes on from there.'
      : ' Saving again is safe.';
  return (
    <ErrorPanel
      title={
        isUnknown ? `It is unknown whether the webhook was ${did}` : `The webhook was not ${did}`
      }
      message={isUnknown ? failure.message + advice : failure.message}
      requestId={failure.requestId}
    />
  );
}
