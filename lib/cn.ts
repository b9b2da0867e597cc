import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** Joins class names. Of two classes that set the same property, the later one is kept. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}

// By default the merger knows only Tailwind's own sizes: it would take `text-body` for a color and
// drop it beside `text-ink`.
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
