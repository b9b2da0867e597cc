'use client';

import {
  LazyLeavePageDialog,
  personChanged,
} from '#components/shell/identity/lazy-leave-page-dialog.tsx';
import { useWatchedSession } from '#components/shell/identity/use-watched-session.ts';
import { supportDeskPath } from '#lib/paths/account-path.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/** Blocks the desk if another person signed in in another tab: searches here would be theirs. */
export function DeskChangedDialog({ desk }: { desk: SupportDesk }) {
  const { current } = useWatchedSession(routeQuery(desk, 'getSupportDesk'), desk);
  const isChanged = current.person.id !== desk.person.id;
  return (
    <LazyLeavePageDialog
      reason={isChanged ? personChanged(current.person, desk.person, supportDeskPath) : null}
    />
  );
}
