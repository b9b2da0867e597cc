import type { ReactNode } from 'react';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { ActionFailurePanel } from './action-failure-panel.tsx';
import type { Deadline } from './rate-limit.ts';
import { RateLimitNotice } from './rate-limit-notice.tsx';

type ActionProblemProps = {
  /** The action, or the form that runs it. */
  action: { deadline: Deadline | null; failure: ActionFailure | null };
  /** Describes the rate limit. */
  rateLimit?: ReactNode;
  keepsInput?: boolean;
  notDone: string;
  unknown: string;
  adviceIfUnknown?: string;
};

/** The rate limit that keeps an action from being done, or why it failed; above its button. */
export function ActionProblem({ action, rateLimit, keepsInput, ...texts }: ActionProblemProps) {
  const { deadline, failure } = action;
  return (
    <>
      <RateLimitNotice keepsInput={keepsInput ?? false} deadline={deadline}>
        {rateLimit}
      </RateLimitNotice>
      {failure && <ActionFailurePanel failure={failure} {...texts} />}
    </>
  );
}
