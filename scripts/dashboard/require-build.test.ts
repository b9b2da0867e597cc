import { expect, test } from 'vitest';
import { requireBuild } from './require-build.ts';

test.each([
  [0, 0],
  [1, 1],
  [137, 1],
])(
  'a build that ends with %i ends the start with %i, and with advice if it failed',
  async (status, exitCode) => {
    const texts: string[] = [];
    const result = await requireBuild(
      async () => status,
      (text) => texts.push(text),
    );
    expect(result).toBe(exitCode);
    expect(texts.join('').includes('run npm run build')).toBe(exitCode !== 0);
  },
);
