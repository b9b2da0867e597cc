import { useEffect, useRef } from 'react';
import { resolveControl } from '#components/ui/rendering/resolve-control.ts';

/**
 * Finds where the focus returns to after an action, for a dialog's `finalFocus`: the control that
 * opened it; if that was removed, the control that has its id now, the menu of its row, of the next
 * row or of the previous one, the section's heading, or the page's title; the title also if a link
 * to the page opened the dialog. If a later refetch removes the focused element, the focus moves in
 * the same way.
 *
 * @param opener the control that opened the dialog; null while no dialog is open, and if a link did
 * @param data the data of the page; a change of it is a refetch
 */
export function useReturnFocus(
  opener: HTMLElement | null,
  data: unknown,
): () => HTMLElement | null {
  // Kept after the dialog closed, because the refetch that removes the row comes later.
  const candidates = useRef<readonly Element[]>([]);

  function find(): HTMLElement | null {
    for (const candidate of candidates.current) {
      const current = resolveControl(candidate);
      const control = current && controlOf(current);
      if (control) return control;
    }
    return document.querySelector('h1');
  }

  useEffect(() => {
    // Looks up the neighbors while the row still exists.
    if (opener !== null) candidates.current = [opener, ...nearest(opener)];
  }, [opener]);

  useEffect(() => {
    const [first] = candidates.current;
    if (!first || first.isConnected || document.activeElement !== document.body) return;
    find()?.focus();
    // A control with the same id can be removed in turn, for example if the change is undone.
    const replacement = resolveControl(first);
    candidates.current = replacement ? [replacement] : [];
  }, [data]);

  return find;
}

/** The row of the control, the rows after it, those before it, and the section's heading. */
function nearest(opener: HTMLElement): Element[] {
  const row = opener.closest('tr');
  const rows = row ? [...(row.parentElement?.children ?? [])] : [];
  const place = row ? rows.indexOf(row) : 0;
  return [
    ...rows.slice(place),
    ...rows.slice(0, place).toReversed(),
    opener.closest('section')?.querySelector('h2[tabindex]'),
  ].filter((element) => element instanceof Element);
}

/**
 * The element itself or, of a row, the button with its actions, which comes last in it. It is looked
 * up when it is needed: looking it up in 200 rows would delay the dialog.
 */
function controlOf(element: Element): HTMLElement | undefined {
  if (!(element instanceof HTMLTableRowElement)) {
    return element instanceof HTMLElement ? element : undefined;
  }
  const buttons = element.querySelectorAll<HTMLElement>('button[aria-haspopup="menu"]');
  return [...buttons].findLast((button) => button.getClientRects().length > 0);
}
