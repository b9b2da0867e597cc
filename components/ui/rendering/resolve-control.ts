/** The control or, if it was removed, the one that has its id now, as Resume has that of Pause. */
export function resolveControl<Control extends Element>(
  control: Control,
): Control | HTMLElement | null {
  return control.isConnected ? control : document.getElementById(control.id);
}
