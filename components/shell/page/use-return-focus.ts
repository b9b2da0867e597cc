'use client';

import { useEffect, useRef } from 'react';

/**
 * Finds where the focus returns to after an action, for a dialog's `finalFocus`: the control that
 * opened it; if that was removed, the menu of its row, of the next row or of the previous one, the
 * section's heading, or the page. If a later refetch removes the focused element, the focus moves
 * in the same way.
 *
 * @param opener the control that opened the dialog; null while no dialog is open
 * @param data the data of the page; a change of it is a refetch
 */
export function useReturnFocus(
  opener: HTMLElement | null,
  data: unknown,
): () => HTMLElement | null {
  // Kept after the dialog closed, because the refetch that removes the row comes later.
  const candidates = useRef<readonly HTMLElement[]>([]);

  function find(): HTMLElement | null {
    return candidates.current.find((element) => element.isConnected) ?? null;
  }

  useEffect(() => {
    // Looks up the neighbors while the row still exists.
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
    ...nearby.map(menuButtonOf),
    opener.closest('section')?.querySelector<HTMLElement>('h2[tabindex]'),
    document.getElementById('main'),
  ].filter((element) => element instanceof HTMLElement);
}

/** The button with the actions of a row, which comes last in it. */
function menuButtonOf(row: Element): HTMLElement | undefined {
  const buttons = row.querySelectorAll<HTMLElement>('button[aria-haspopup="menu"]');
  return [...buttons].findLast((button) => button.checkVisibility());
}
