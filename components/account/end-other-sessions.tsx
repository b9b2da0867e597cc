'use client';

import { useState, useTransition } from 'react';

import { ConfirmDialog } from '#components/shell/actions/confirm-dialog.tsx';
import {
  isIdentityPromptCancelled,
  useRunAction,
} from '#components/shell/actions/use-run-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { endOtherSessions } from '#lib/actions/session.ts';
import type { SignedInSession } from '#lib/contract/dashboard.ts';

import { countSessions } from './count-sessions.ts';
import { describeUserAgent } from './describe-user-agent.ts';

type EndOtherSessionsProps = {
  others: readonly SignedInSession[];
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: (message: string) => void;
};

/** Asks for confirmation before the person is signed out everywhere else. */
export function EndOtherSessions({ others, finalFocus, onClose, onEnded }: EndOtherSessionsProps) {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [isPending, startTransition] = useTransition();
  const runAction = useRunAction();
  const latest = others[0];

  function end() {
    setFailure(null);
    startTransition(async () => {
      const result = await runAction(endOtherSessions);
      if (result.ok) onEnded(`${countSessions(result.ended)} signed out.`);
      else if (!isIdentityPromptCancelled(result)) setFailure(result);
    });
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      action="Sign out everywhere else"
      tone="primary"
      sentence="This browser stays signed in. Everywhere else the password is needed again."
      facts={[
        { label: 'Signed out', value: countSessions(others.length) },
        ...(latest
          ? [
              {
                label: 'Used last',
                value: (
                  <>
                    {describeUserAgent(latest.user_agent)},{' '}
                    <RelativeTime isMidSentence value={latest.last_used_at} />
                  </>
                ),
              },
            ]
          : []),
      ]}
      pending={isPending}
      isUnknown={failure !== null && isOutcomeUnknown(failure)}
      error={failure?.message}
      onConfirm={end}
      finalFocus={finalFocus}
    />
  );
}
