'use client';

import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

import { ErrorPanel, type ErrorPanelProps } from './error-panel.tsx';
import { failureText } from './failure-text.ts';
import { ServiceText } from './service-text.tsx';

type ActionFailurePanelProps = Pick<ErrorPanelProps, 'role'> & {
  failure: ActionFailure;
  /** "The replay was not cancelled" */
  notDone: string;
  /** For a lost answer: "It is unknown whether the replay was cancelled" */
  unknown: string;
  /** Added if the answer was lost: whether trying again is safe. */
  adviceIfUnknown?: string | undefined;
};

/** Says that an action failed, or that nobody knows whether it did, and why. */
export function ActionFailurePanel({
  failure,
  notDone,
  unknown,
  adviceIfUnknown,
  role,
}: ActionFailurePanelProps) {
  const isUnknown = isOutcomeUnknown(failure);
  return (
    <ErrorPanel
      role={role}
      title={isUnknown ? unknown : notDone}
      message={
        <>
          <ServiceText text={failureText(failure)} />
          {isUnknown && adviceIfUnknown !== undefined && ` ${adviceIfUnknown}`}
        </>
      }
      requestId={failure.requestId}
    />
  );
}
