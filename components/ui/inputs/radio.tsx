import type { ComponentProps } from 'react';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

/** A native radio button without a label. */
export function Radio(attributes: Omit<ComponentProps<'input'>, 'type' | 'ref'>) {
  return <input {...attributes} ref={useInputBeforeHydration()} type="radio" />;
}
