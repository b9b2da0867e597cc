import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { benchSummary, unmetTargets } from './bench-tables.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const summary = readFileSync(root + benchSummary, 'utf8');

/** The entries "- **GET /api-key, PGlite**: …". Those of unpublished benches have another form. */
const explained = [...summary.matchAll(/^- \*\*(.+, (?:PGlite|PostgreSQL))\*\*/gm)].map(
  ([, name = '']) => name,
);

describe(benchSummary, () => {
  test('says of each target that is not met, and of no other, what stands in the way', () => {
    expect(explained.toSorted()).toEqual(unmetTargets().toSorted());
  });

  test('links to every chapter', () => {
    const chapters = globSync('docs/bench/*.md', { cwd: root })
      .map((file) => file.slice('docs/bench/'.length))
      .filter((file) => file !== 'README.md');
    expect(chapters.length).toBeGreaterThan(10);
    for (const chapter of chapters) expect(summary).toContain(`](${chapter})`);
  });
});
