'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { Note } from '#components/ui/feedback/note.tsx';

type NoPermissionProps = {
  what: string;
  who: string;
  /** What the person can do instead. */
  actions?: ReactNode;
};

/** Shown in place of data that the person may not see. */
export function NoPermission({ what, who, actions }: NoPermissionProps) {
  return (
    <EmptyState title={`You can’t see ${what}`} actions={actions}>
      <Note icon={<Lock />}>{who}</Note>
    </EmptyState>
  );
}

/** Shown when search and filters match nothing, with a button to clear them. */
export function NoMatch({
  title,
  hint,
  onClear,
}: {
  title: string;
  hint: string;
  onClear: () => void;
}) {
  return (
    <EmptyState
      isQuiet
      title={title}
      actions={
        <Button focusesTitleOnRemoval onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      {hint}
    </EmptyState>
  );
}
