'use client';

import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { endSession } from '#lib/actions/people/person.ts';
import type { SignedInSession } from '#lib/contract/people/sessions.ts';

import { describeUserAgent } from '#lib/describe-user-agent.ts';

type SessionItemProps = { session: SignedInSession; onEnded: (message: string) => void };

export function SessionItem({ session, onEnded }: SessionItemProps) {
  const { run, ...action } = useAction();
  const name = describeUserAgent(session.user_agent);

  function end() {
    const onDone = () => onEnded(`${name} is signed out.`);
    run(() => endSession({ params: { session: session.id } }), { onDone, onNotFound: onDone });
  }

  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3 max-sm:gap-x-4">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium" title={session.user_agent ?? undefined}>
            {name}
          </span>
          {session.is_current && <Tag mono={false}>This browser</Tag>}
        </p>
        <p className="mt-0.5 text-small text-pretty text-ink-3">
          {session.ip !== null && (
            <>
              <span translate="no" className="code">
                {session.ip}
              </span>{' '}
              ·{' '}
            </>
          )}
          Last used: <RelativeTime isMidSentence value={session.last_used_at} /> · Signed in{' '}
          <ExactTime value={session.created_at} />
        </p>
        {action.failure && (
          <ActionFailurePanel
            failure={action.failure}
            notDone={`${name} was not signed out`}
            unknown={`We could not confirm whether ${name} was signed out`}
            adviceIfUnknown="Trying again is safe."
          />
        )}
        <RateLimitNotice deadline={action.deadline} />
      </div>
      {!session.is_current && (
        <ActionButton size="small" action={action} onClick={end}>
          Sign out<span className="sr-only"> {name}</span>
        </ActionButton>
      )}
    </li>
  );
}
