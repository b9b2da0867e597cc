import type { ActionFailure } from '#lib/actions/action-result.ts';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';

type FormFailureProps = {
  /** What the form creates or changes: "key". */
  noun: string;
  did: 'created' | 'changed';
  failure: ActionFailure;
  /** What to do if there was no response, so that it may have been created or changed. */
  adviceIfUnknown: string;
};

/** Explains why a form failed, if the reason is not about a single field. */
export function FormFailure({ noun, did, failure, adviceIfUnknown }: FormFailureProps) {
  const isGone = did === 'changed' && failure.code === 'NOT_FOUND';
  return (
    <ActionFailurePanel
      failure={
        isGone
          ? { ...failure, message: 'It no longer exists. Someone may have deleted it.' }
          : failure
      }
      notDone={`The ${noun} was not ${did}`}
      unknown={`We could not confirm whether the ${noun} was ${did}`}
      adviceIfUnknown={adviceIfUnknown}
    />
  );
}
