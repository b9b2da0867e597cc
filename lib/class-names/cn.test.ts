import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extendTailwindMerge } from 'tailwind-merge';
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

test('any two classes of the dashboard are joined as with the groups of all of Tailwind', () => {
  const classes = findClasses();
  expect(classes).toEqual(expect.arrayContaining(['h-control', 'text-ink', '-mb-px', 'list-row']));
  const faults = listPairs(oneOfEachGroup(classes))
    .filter((pair) => cn(pair) !== mergeAll(pair))
    .map((pair) => `'${pair}' becomes '${cn(pair)}' instead of '${mergeAll(pair)}'`);
  // If a whole group is missing, there are hundreds.
  expect(
    faults.slice(0, 9),
    'Add these classes to a group in lib/class-names/class-groups.ts',
  ).toEqual([]);
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const styles = readAll('app/styles/*.css').join('\n');
const mergeAll = extendTailwindMerge({
  cacheSize: 0,
  extend: {
    theme: {
      spacing: findThemeNames('spacing'),
      text: findThemeNames('text'),
      radius: findThemeNames('radius'),
      shadow: findThemeNames('shadow'),
    },
  },
});

/** Leaves out classes that both mergers treat like an earlier one, because each replaces the other. */
function oneOfEachGroup(classes: readonly string[]): string[] {
  const found: string[] = [];
  for (const name of classes) {
    const isFound = found.some((other) =>
      [mergeAll, cn].every(
        (merge) => merge(`${other} ${name}`) === name && merge(`${name} ${other}`) === other,
      ),
    );
    if (!isFound) found.push(name);
  }
  return found;
}

function listPairs(names: readonly string[]): string[] {
  return names.flatMap((first) =>
    names.filter((second) => second !== first).map((second) => `${first} ${second}`),
  );
}

/** The classes in texts of the dashboard, without variants: a variant changes no group. */
function findClasses(): string[] {
  const own = new Set(
    [...styles.matchAll(/(?:@utility |\.)([a-z][\w-]*)/g)].map(([, name = '']) => name),
  );
  const texts = readAll('{app,components}/**/*.{ts,tsx}').flatMap(
    (source) => source.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [],
  );
  const candidates = new Set(texts.flatMap((text) => text.split(/[\s'"`]+/)).map(removeVariants));
  return [...candidates].filter((name) => own.has(name) || isOfTailwind(name));
}

/** The merger keeps a class once that is given twice, but only if it knows the class. */
function isOfTailwind(name: string): boolean {
  return name !== '' && mergeAll(`${name} ${name}`) === name;
}

/** Removes `max-sm:` and `!`, for example, but leaves the colon of `[grid-area:1/1]`. */
function removeVariants(name: string): string {
  return name.replace(/^(?:(?:[^[(:]|\[[^\]]*\]|\([^)]*\))*:)+/, '').replace(/!$/, '');
}

function findThemeNames(scale: string): string[] {
  const variables = styles.matchAll(new RegExp(`--${scale}-([a-z0-9]+(?:-[a-z0-9]+)*):`, 'g'));
  return [...variables].map(([, name = '']) => name);
}

function readAll(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/*.test.*'] }).map((file) =>
    readFileSync(`${root}/${file}`, 'utf8'),
  );
}
