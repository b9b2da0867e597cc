/** Whether a dialog or question is open, which must be dealt with first. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}
