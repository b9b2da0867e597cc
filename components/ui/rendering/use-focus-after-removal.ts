'use client';

import { type RefObject, useLayoutEffect } from 'react';

/**
 * Moves the focus to the dialog around it, or to the page's title, when the component goes and its
 * control still has the focus. Otherwise the focus would silently move to the body.
 */
export function useFocusAfterRemoval(
  control: RefObject<HTMLElement | null>,
  isEnabled: boolean,
): void {
  useLayoutEffect(() => {
    if (!isEnabled) return undefined;
    const element = control.current;
    // Runs before the element leaves the page.
    return () => {
      if (element !== null && document.activeElement === element) {
        const dialog = element.closest<HTMLElement>('[role=dialog],[role=alertdialog]');
        (dialog ?? document.querySelector<HTMLElement>('h1'))?.focus();
      }
    };
  }, [control, isEnabled]);
}
