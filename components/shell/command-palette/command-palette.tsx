'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, createContext, use, useEffect, useEffectEvent, useState } from 'react';

import { isTyping } from '#components/ui/inputs/is-typing.ts';
import { isDialogOpen } from '#components/ui/overlays/is-dialog-open.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Session } from '#lib/contract/dashboard.ts';

import { rememberPath } from './recent-paths.ts';

type Opened = 'palette' | 'shortcuts' | null;

const OpenPalette = createContext<(() => void) | null>(null);

/** Opens the command palette with ⌘K or Ctrl K, and the list of shortcuts with `?`. */
export function CommandPaletteProvider({
  session,
  children,
}: {
  session: Session;
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
      <Palette
        shouldLoad={opened === 'palette'}
        isOpen={opened === 'palette'}
        onClose={close}
        session={session}
      />
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

const Palette = lazyComponent(async () => (await import('./palette-popup.tsx')).PalettePopup);
const Shortcuts = lazyComponent(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
);

function shortcutOf(event: KeyboardEvent): Opened {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : null;
  return key === '?' && !isTyping(event.target) ? 'shortcuts' : null;
}
