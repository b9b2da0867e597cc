import { Search } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Kbd } from '#components/ui/data-display/kbd.tsx';
import { commandKey } from '../../command-palette/command-key.ts';
import { useOpenPalette } from '../../command-palette/command-palette.tsx';

type SearchButtonProps = { className: string; onClick: (() => void) | undefined };

export function SearchButton({ className, onClick }: SearchButtonProps) {
  const openPalette = useOpenPalette();
  // The server does not know the keyboard, and a change of the key would move the label.
  const command = useSyncExternalStore(neverChanges, commandKey, () => null);
  return (
    <button
      type="button"
      aria-keyshortcuts="Meta+K Control+K"
      onClick={() => {
        onClick?.();
        openPalette();
      }}
      className={className}
    >
      <Search />
      <span>Search</span>
      {command !== null && (
        <Kbd className="ml-auto max-sm:hidden pointer-coarse:hidden">
          {command === '⌘' ? '⌘K' : 'Ctrl K'}
        </Kbd>
      )}
    </button>
  );
}

function neverChanges() {
  return () => {};
}
