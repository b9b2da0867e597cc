import type { ReactNode } from 'react';
import {
  type ActionFailure,
  isOutcomeUnknown,
  isPageOutdated,
} from '#lib/actions/action-result.ts';
import { ErrorPanel, type ErrorPanelProps } from './error-panel.tsx';
import { formatFailure } from './format-failure.ts';
import { ServiceText } from './service-text.tsx';

type ActionFailurePanelProps = Pick<ErrorPanelProps, 'role' | 'onRetry'> & {
  failure: ActionFailure;
  /** "The replay was not cancelled" */
  notDone: string;
  /** For a lost response: "We could not confirm whether the replay was cancelled" */
  unknown: string;
  /** Added if the response was lost: whether trying again is safe. */
  adviceIfUnknown?: string | undefined;
  /** What else to know. */
  children?: ReactNode;
};

/** Explains why an action failed, or that it is unknown whether it did. */
export function ActionFailurePanel({
  failure,
  notDone,
  unknown,
  adviceIfUnknown,
  children,
  role,
  onRetry,
}: ActionFailurePanelProps) {
  const isUnknown = isOutcomeUnknown(failure);
  return (
    <ErrorPanel
      role={role}
      {...(isPageOutdated(failure)
        ? { onRetry: () => window.location.reload(), retryLabel: 'Reload page' }
        : { onRetry })}
      title={isUnknown ? unknown : notDone}
      message={
        <>
          <ServiceText text={formatFailure(failure)} />
          {isUnknown && adviceIfUnknown !== undefined && ` ${adviceIfUnknown}`} {children}
        </>
      }
      requestId={failure.requestId}
    />
  );
}
