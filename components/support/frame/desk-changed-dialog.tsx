'use client';

import { PersonChangedDialog } from '#components/shell/identity/leave-page-dialog.tsx';
import { useWatchedSession } from '#components/shell/identity/use-watched-session.ts';
import { supportDeskPath } from '#lib/account-path.ts';
import type { SupportDesk } from '#lib/contract/support/support-desk.ts';
import { supportDeskQuery } from '#lib/queries/support-desk.ts';

/** Blocks the desk if another person signed in in another tab: searches here would be theirs. */
export function DeskChangedDialog({ desk }: { desk: SupportDesk }) {
  const { current } = useWatchedSession(supportDeskQuery(desk), desk);
  if (current.person.id === desk.person.id) return null;
  return (
    <PersonChangedDialog current={current.person} before={desk.person} href={supportDeskPath} />
  );
}
