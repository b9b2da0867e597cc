'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';

import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { minuteMs } from '#lib/durations.ts';

/** Each costs up to five calls of the person's 600 a minute. */
const MOST_PER_MINUTE = 30;

/** Prefetches the data of an account's page when a person is about to open it. */
export function PageWarmer({ session, children }: { session: Session; children: ReactNode }) {
  const navigation = useNavigation();
  const client = useQueryClient();
  const warmedAt = useRef<readonly number[]>([]);
  // The person may not read anything yet.
  const isKeptOut =
    session.needs_reason || session.lacks_second_factor || session.account.erased_at !== null;

  async function warmUp(path: string) {
    const now = Date.now();
    const lately = warmedAt.current.filter((time) => now - time < minuteMs);
    if (isKeptOut || lately.length >= MOST_PER_MINUTE) return;
    warmedAt.current = [...lately, now];
    const { readPage } = await import('./read-page.ts');
    readPage(client, session, path);
  }

  return (
    <NavigationContext
      value={{
        ...navigation,
        // Without a network there is nothing to warm up.
        warmUp: (path) => void warmUp(path).catch(() => undefined),
      }}
    >
      {children}
    </NavigationContext>
  );
}
