import { clsx, type ClassValue } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { classGroups, conflictingClassGroups } from './class-groups.ts';

/** Joins class names. Of two classes that set the same property, the later one is kept. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups,
  conflictingClassGroupModifiers: {},
  // `*:first` and `first:*` select different elements; the order of other variants is irrelevant.
  orderSensitiveModifiers: ['*', 'after', 'before', 'first-letter'],
}));
