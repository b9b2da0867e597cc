import { expect, test } from 'vitest';
import { cn } from './cn.ts';

test.each([
  ['a height of its own', ['h-control', 'h-auto min-h-control'], 'h-auto min-h-control'],
  ['a small control', ['h-control', 'h-control-small'], 'h-control-small'],
  ['another gap to the edge', ['px-3', 'px-gutter'], 'px-gutter'],
  ['a size of text, but no color', ['text-ink', 'text-body', 'text-small'], 'text-ink text-small'],
])('a later class replaces an earlier one: %s', (_what, classes, joined) => {
  expect(cn(...classes)).toBe(joined);
});
