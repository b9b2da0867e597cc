/**
 * Whether a dialog or question is open, which must be dealt with first. A drawer is none: the page
 * beside it goes on.
 */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]:not([data-drawer]), [role=alertdialog]') !== null;
}
