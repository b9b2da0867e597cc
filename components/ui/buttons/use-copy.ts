import { useEffect, useState } from 'react';

export type CopyState = 'idle' | 'copied' | 'blocked';

/** For text that was selected instead. */
export const copySelected = 'Copying is blocked here. The text is selected: press Ctrl/⌘ C.';

type Copying = { state: CopyState; copy: (text: string) => Promise<boolean>; reset: () => void };

/** Copies text. `blocked`: there is no clipboard (plain http), or the browser refuses. */
export function useCopy({ lastsMs }: { lastsMs?: number } = {}): Copying {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state !== 'copied' || lastsMs === undefined) return;
    const timer = setTimeout(() => setState('idle'), lastsMs);
    return () => clearTimeout(timer);
  }, [state, lastsMs]);

  async function copy(text: string): Promise<boolean> {
    const done = await write(text);
    setState(done ? 'copied' : 'blocked');
    return done;
  }

  return { state, copy, reset: () => setState('idle') };
}

async function write(text: string): Promise<boolean> {
  // The DOM's types always have a clipboard, but insecure pages have none.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
