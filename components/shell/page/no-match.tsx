'use client';

import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

type NoMatchProps = { title: string; hint: string; onClear: () => void };

/** Shown when search and filters match nothing, with a button to clear them. */
export function NoMatch({ title, hint, onClear }: NoMatchProps) {
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
