/**
 * Whether a dialog or question is open, which must be answered first. A drawer does not count: the
 * page next to it stays usable.
 */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]:not([data-drawer]), [role=alertdialog]') !== null;
}
