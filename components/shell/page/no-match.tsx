import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

type NoMatchProps = {
  title: string;
  hint: string;
  onClear: () => void;
  clearLabel?: string;
};

/** Shown when search and filters match nothing, with a button to clear them. */
export function NoMatch({
  title,
  hint,
  onClear,
  clearLabel = 'Clear search and filters',
}: NoMatchProps) {
  return (
    <EmptyState
      isQuiet
      title={title}
      actions={
        <Button focusesTitleOnRemoval onClick={onClear}>
          {clearLabel}
        </Button>
      }
    >
      {hint}
    </EmptyState>
  );
}
