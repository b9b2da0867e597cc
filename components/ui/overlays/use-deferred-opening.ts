import { useDeferredValue } from 'react';

/**
 * Whether a popup is open, where `isOpen` says whether it is to be. It opens a frame later, because
 * mounting it takes longer than a frame: by then its button or row looks pressed, or the menu that
 * opened it has closed. It closes immediately.
 */
export function useDeferredOpening(isOpen: boolean): boolean {
  return useDeferredValue(isOpen) && isOpen;
}
