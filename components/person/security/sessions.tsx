'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Tag } from '#components/ui/data-display/tag.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import { endSession } from '#lib/actions/people/person.ts';
import type { Session, SignedInSession } from '#lib/contract/people/sessions.ts';
import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/** Lists the person's sessions, with buttons to end them. */
export function Sessions({ session }: { session: Session }) {
  const query = routeQuery(session, 'listSessions');
  const read = useQuery({ ...query, refetchInterval: pageRefetchInterval });
  const { data: sessions } = read;
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const [message, setMessage] = useState('');
  const heading = useRef<HTMLDivElement>(null);
  const everywhere = useRef<HTMLButtonElement>(null);
  // This browser first; the service returns the latest used first.
  const listed = (sessions ?? []).toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const others = listed.filter(({ is_current: isCurrent }) => !isCurrent);

  function onEnded(text: string) {
    setMessage(text);
    setIsConfirming(false);
    // The pressed button is removed together with the session, so the heading takes the focus.
    heading.current?.querySelector('h2')?.focus();
    void queryClient.invalidateQueries({ queryKey: query.queryKey });
  }

  return (
    <div ref={heading}>
      <Section title="Where you are signed in">
        <ReadFailure what="Your sessions" shown="them" noun="your sessions" read={read} />
        {sessions && (
          <ul
            aria-busy={read.isFetching || undefined}
            className="divide-y divide-line border-y border-line"
          >
            {listed.map((one) => (
              <SessionItem key={one.id} session={one} onEnded={onEnded} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {others.length > 0 && (
            <Button
              ref={everywhere}
              className="max-sm:w-full"
              onClick={() => setIsConfirming(true)}
            >
              Sign out everywhere else
            </Button>
          )}
          <span role="status" className="text-small text-ink-3">
            {message || (sessions && others.length === 0 && 'You are signed in here only.')}
          </span>
        </div>
        <LazyEndOtherSessions
          isOpen={isConfirming}
          others={others}
          finalFocus={everywhere}
          onClose={() => setIsConfirming(false)}
          onEnded={onEnded}
        />
      </Section>
    </div>
  );
}

const LazyEndOtherSessions = lazyDialog(
  async () => (await import('./end-other-sessions.tsx')).EndOtherSessions,
);

type SessionItemProps = { session: SignedInSession; onEnded: (message: string) => void };

function SessionItem({ session, onEnded }: SessionItemProps) {
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
              <Code>{session.ip}</Code> ·{' '}
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
