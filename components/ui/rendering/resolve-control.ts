/**
 * The control itself or, if it was removed, the one that has its id now: Resume takes the place and
 * the id of Pause. Null if there is neither.
 */
export function resolveControl<Control extends Element>(
  control: Control,
): Control | HTMLElement | null {
  return control.isConnected ? control : document.getElementById(control.id);
}
