import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** Joins class names; of two that set the same property the later one stays. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}

// The merger knows Tailwind's own sizes only; without this it takes `text-body` for a colour
// and drops it beside `text-ink`.
const merge = extendTailwindMerge({
  extend: {
    theme: {
      spacing: ['control', 'control-small', 'gutter', 'sidebar', 'column', 'bleed'],
      text: [
        'title',
        'heading',
        'body',
        'field',
        'small',
        'micro',
        'code',
        'code-micro',
        'secret',
        'figure',
      ],
      radius: ['1', '2', '3', '4', '5', 'full'],
      shadow: ['segment', 'menu', 'dialog'],
    },
  },
});
