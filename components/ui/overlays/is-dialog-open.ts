/** Whether a dialog must be answered first. A drawer leaves the page usable. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]:not([data-drawer]), [role=alertdialog]') !== null;
}
