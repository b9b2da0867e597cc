'use client';

import { useEffect, useRef } from 'react';

/**
 * Where the focus goes after an act upon a row or a section, for the dialog's `finalFocus`: back to
 * the opener; if the act took that away, to the row's own menu, the next row's or the one before,
 * the section's heading, or the page itself. A refetch that removes the focused row later is noticed as well.
 *
 * @param opener the control an open dialog was opened from; null while none is open
 * @param data what was read, and may come anew
 */
export function useReturnFocus(
  opener: HTMLElement | null,
  data: unknown,
): () => HTMLElement | null {
  // Kept when the dialog is gone: the answer that removes the row comes after that.
  const candidates = useRef<readonly HTMLElement[]>([]);

  function find(): HTMLElement | null {
    return candidates.current.find((element) => element.isConnected) ?? null;
  }

  useEffect(() => {
    // The neighbours are looked up while the row is still there.
    if (opener !== null) candidates.current = [opener, ...nearest(opener)];
  }, [opener]);

  useEffect(() => {
    const [first] = candidates.current;
    if (!first || first.isConnected || document.activeElement !== document.body) return;
    find()?.focus();
    candidates.current = [];
  }, [data]);

  return find;
}

function nearest(opener: HTMLElement): HTMLElement[] {
  const row = opener.closest('tr');
  const rows = row ? [...(row.parentElement?.children ?? [])] : [];
  const place = row ? rows.indexOf(row) : 0;
  const nearby = [...rows.slice(place), ...rows.slice(0, place).toReversed()];
  return [
    ...nearby.map((one) => one.querySelector<HTMLElement>('button[aria-haspopup="menu"]')),
    opener.closest('section')?.querySelector<HTMLElement>('h2[tabindex]'),
    document.getElementById('main'),
  ].filter((element) => element instanceof HTMLElement);
}
