/**
 * Whether what was chosen in a popup moved the focus elsewhere, for example into a dialog, where it
 * stays when the popup closes.
 */
export function focusLeftPopup(popup: HTMLElement | null): boolean {
  const { activeElement: focused } = document;
  return focused !== document.body && popup?.contains(focused) === false;
}
