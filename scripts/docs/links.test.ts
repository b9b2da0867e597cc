import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', '{docs,e2e}/**/*.md', 'packages/*/README.md'], { cwd: root });

test.each(documents)('every file that %s links to, or shows as a picture, is there', (document) => {
  const text = readFileSync(root + document, 'utf8').replaceAll(/^```.*\n(?:.*\n)*?```$/gm, '');
  const targets = text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)"\s]+)/g);
  const missing = [...targets]
    .map(([, target = '']) => fileURLToPath(new URL(target, `file://${root}${document}`)))
    .filter((file) => !existsSync(file));
  expect(missing).toEqual([]);
});
