'use client';

import type { ComponentProps } from 'react';

import { useKeptInput } from './use-kept-input.ts';

/** A native radio button without a label. */
export function Radio(attributes: Omit<ComponentProps<'input'>, 'type' | 'ref'>) {
  return <input {...attributes} ref={useKeptInput()} type="radio" />;
}
