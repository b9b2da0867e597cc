import { SecondLine } from '#components/ui/data-display/table.tsx';

/**
 * In a table, that a key was never used; with `tokens`, that these were not, but maybe others
 * before them. On a phone the column has no header.
 */
export function NeverUsed({ tokens }: { tokens: string | null }) {
  return (
    <span className="text-ink-3">
      <span className="max-sm:hidden">
        Never
        {tokens !== null && <SecondLine>with {tokens}</SecondLine>}
      </span>
      <span className="sm:hidden">{tokens === null ? 'Never used' : `${tokens} never used`}</span>
    </span>
  );
}
