'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { EndOtherSessions } from './end-other-sessions.tsx';
import { SessionItem } from './session-item.tsx';

/** Lists the person's sessions, with buttons to end them. */
export function Sessions({ session }: { session: Session }) {
  const query = routeQuery(session, 'listSessions');
  const {
    data: sessions,
    error,
    ...reading
  } = useQuery({ ...query, refetchInterval: pageRefetchInterval });
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
        {error && (
          <ReadFailure
            what="Your sessions"
            shown="them"
            noun="your sessions"
            error={error}
            isShown={sessions !== undefined}
            reading={reading}
          />
        )}
        {sessions && (
          <ul
            aria-busy={reading.isFetching || undefined}
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
        {isConfirming && (
          <EndOtherSessions
            others={others}
            finalFocus={everywhere}
            onClose={() => setIsConfirming(false)}
            onEnded={onEnded}
          />
        )}
      </Section>
    </div>
  );
}
