import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

import { ErrorPanel } from '../feedback/error-panel.tsx';

type FormFailureProps = {
  /** What the form creates or changes: "key". */
  noun: string;
  did: 'created' | 'changed';
  failure: ActionFailure;
  /** What to do if no answer came, so that it may have been created or changed. */
  adviceIfUnknown: string;
};

/** Says why a form did not do its work, if the reason is not about a single field. */
export function FormFailure({ noun, did, failure, adviceIfUnknown }: FormFailureProps) {
  const isUnknown = isOutcomeUnknown(failure);
  return (
    <ErrorPanel
      title={
        isUnknown ? `It is unknown whether the ${noun} was ${did}` : `The ${noun} was not ${did}`
      }
      message={isUnknown ? `${failure.message} ${adviceIfUnknown}` : failure.message}
      requestId={failure.requestId}
    />
  );
}
