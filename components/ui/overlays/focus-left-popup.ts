/** Whether a choice in a popup moved the focus elsewhere, as into a dialog, where it then stays. */
export function focusLeftPopup(popup: HTMLElement | null): boolean {
  const { activeElement: focused } = document;
  return focused !== document.body && popup?.contains(focused) === false;
}
