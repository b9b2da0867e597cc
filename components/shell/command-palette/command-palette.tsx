import { usePathname } from 'next/navigation';
import { type ReactNode, createContext, use, useEffect, useEffectEvent, useState } from 'react';
import { isTyping } from '#components/ui/inputs/is-typing.ts';
import { isDialogOpen } from '#components/ui/overlays/is-dialog-open.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { PaletteProps } from './palette-dialog.tsx';
import { rememberPath } from './recent-paths.ts';

type Opened = 'palette' | 'shortcuts' | null;

const OpenPalette = createContext<(() => void) | null>(null);

/** Opens the command palette with ⌘K or Ctrl K, and the list of shortcuts with `?`. */
export function CommandPaletteProvider({
  renderPalette,
  children,
}: {
  /** The palette of the frame. It loads once it is opened for the first time, or before. */
  renderPalette: (props: PaletteProps & { shouldLoad: boolean }) => ReactNode;
  children: ReactNode;
}) {
  const [opened, setOpened] = useState<Opened>(null);
  const path = usePathname();
  useEffect(() => rememberPath(path), [path]);
  const close = () => setOpened(null);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const wanted = shortcutOf(event);
    if (wanted === null) return;
    if (opened === wanted) {
      event.preventDefault();
      close();
    } else if (opened === null && !isDialogOpen()) {
      event.preventDefault();
      setOpened(wanted);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  return (
    <OpenPalette value={() => setOpened('palette')}>
      {children}
      {renderPalette({
        shouldLoad: opened === 'palette',
        isOpen: opened === 'palette',
        onClose: close,
      })}
      <Shortcuts
        shouldLoad={opened === 'shortcuts'}
        isOpen={opened === 'shortcuts'}
        onClose={close}
      />
    </OpenPalette>
  );
}

export function useOpenPalette(): () => void {
  const open = use(OpenPalette);
  if (open === null) throw new Error('useOpenPalette must be used within CommandPaletteProvider.');
  return open;
}

const Shortcuts = lazyComponent(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
);

function shortcutOf(event: KeyboardEvent): Opened {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : null;
  return key === '?' && !isTyping(event.target) ? 'shortcuts' : null;
}
