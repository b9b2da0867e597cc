import { NoMatch } from '#components/shell/page/no-match.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

type NoEntriesProps = { isFiltered: boolean; onClear: () => void };

/** Shown in place of rows if there are no entries, or none that match the filters. */
export function NoEntries({ isFiltered, onClear }: NoEntriesProps) {
  if (isFiltered) {
    return (
      <NoMatch
        title="No matching entries"
        hint="No entry matches all of these filters. To find a target, enter its full ID."
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState isQuiet title="No entries yet">
      Every change of a key, a webhook, the team or the account is listed here.
    </EmptyState>
  );
}
