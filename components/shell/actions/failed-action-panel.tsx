import type { ReactNode } from 'react';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { RetryPanel } from '../feedback/retry-panel.tsx';
import type { FailedAction } from './use-failure-state.ts';

export type FailedActionPanelProps = {
  failedAction: FailedAction;
  /** "Order notifier was not paused" */
  notDone: string;
  /** For a lost response: "We could not confirm whether Order notifier was paused" */
  unknown: string;
  /** What else to know. */
  children?: ReactNode;
  className?: string | undefined;
};

/** Why an action outside of dialogs and forms failed, with a button after a rate limit. */
export function FailedActionPanel({
  failedAction: { failure, deadline, retry },
  notDone,
  unknown,
  children,
  className,
}: FailedActionPanelProps) {
  return (
    <div className={className}>
      <RetryPanel
        deadline={deadline}
        waitingFor={
          <>
            {notDone}. {children}
          </>
        }
      >
        <ActionFailurePanel failure={failure} notDone={notDone} unknown={unknown} onRetry={retry}>
          {children}
        </ActionFailurePanel>
      </RetryPanel>
    </div>
  );
}
