'use client';

import { useEffect, useState } from 'react';

import { useIsHydrated } from '#components/ui/rendering/use-is-hydrated.ts';

/**
 * Moves the focus to the page's title when a link has led to the page, because the link is gone.
 * When the browser has loaded the page, the focus stays where it is.
 */
export function FocusTitle() {
  // In the first render, this is false if the server sent the page.
  const [isFromLink] = useState(useIsHydrated());
  useEffect(() => {
    if (isFromLink && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('h1')?.focus();
    }
  }, [isFromLink]);
  return null;
}
