'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { Note } from '#components/ui/feedback/note.tsx';

type NoPermissionProps = {
  /** What the person can't see: "the audit log". */
  what: string;
  /** A sentence: who can see it, or who can let the person see it. */
  who: string;
  /** What the person can do instead. */
  actions?: ReactNode;
};

/** Shown in place of data that the person may not see. */
export function NoPermission({ what, who, actions }: NoPermissionProps) {
  return (
    <EmptyState title={`You cannot see ${what}`} actions={actions}>
      <Note icon={<Lock />}>{who}</Note>
    </EmptyState>
  );
}
