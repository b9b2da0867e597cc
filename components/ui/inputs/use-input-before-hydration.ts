import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Returns the `ref` for a control. Input from before hydration is then kept and reaches `onChange`,
 * instead of being replaced by the value that the server rendered.
 *
 * @param ref the ref that was given for the control
 */
export function useInputBeforeHydration<Element extends Control>(
  ref?: Ref<Element>,
): RefObject<Element | null> {
  const control = useRef<Element>(null);
  useImperativeHandle<Element | null, Element | null>(ref, () => control.current, []);
  useLayoutEffect(() => {
    if (control.current) keepInput(control.current);
  }, []);
  return control;
}

/**
 * React leaves the control as it is while it hydrates, but its next render resets a controlled one.
 * So the change is reported before, as soon as React handles events again.
 */
function keepInput(control: Control): void {
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) {
    const { checked } = control;
    // Among radio buttons, only the selected one reports it.
    if (checked === control.defaultChecked || (control.type === 'radio' && !checked)) return;
    queueMicrotask(() => {
      control.checked = !checked;
      control.click();
    });
    return;
  }
  const { value } = control;
  if (value !== control.defaultValue) queueMicrotask(() => enter(control, value));
}

/** Changes the value as a person does. */
function enter(control: Control, value: string): void {
  const { selectionStart, selectionEnd } = control;
  control.value = control.defaultValue;
  // React reports no change to a value that was set by the control's own property.
  Reflect.set(Object.getPrototypeOf(control) as object, 'value', value, control);
  if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd);
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
