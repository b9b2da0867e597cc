'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { minuteMs } from '#lib/durations.ts';

/** Each costs up to five calls of the person's 600 a minute. */
const maxPerMinute = 30;

/** Prefetches the data of an account's page when a person is about to open it. */
export function PagePrefetcher({ session, children }: { session: Session; children: ReactNode }) {
  const navigation = useNavigation();
  const client = useQueryClient();
  const prefetchedAt = useRef<readonly number[]>([]);
  // The person may not read anything yet.
  const mayReadNothing =
    session.needs_reason || session.lacks_second_factor || session.account.erased_at !== null;

  async function prefetch(path: string) {
    const now = Date.now();
    const lately = prefetchedAt.current.filter((time) => now - time < minuteMs);
    if (mayReadNothing || lately.length >= maxPerMinute) return;
    prefetchedAt.current = [...lately, now];
    const { prefetchPage } = await import('./prefetch-page.ts');
    prefetchPage(client, session, path);
  }

  return (
    <NavigationContext
      value={{
        ...navigation,
        // Without a network there is nothing to warm up.
        warmUp: (path) => void prefetch(path).catch(() => undefined),
      }}
    >
      {children}
    </NavigationContext>
  );
}
