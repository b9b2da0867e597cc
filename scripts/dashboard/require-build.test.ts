import { expect, test } from 'vitest';
import { requireBuild } from './require-build.ts';

test.each([
  [0, 0],
  [1, 1],
  [137, 1],
])(
  'a build that ends with %i ends the start with %i, and with advice if it failed',
  async (status, exitCode) => {
    const told: string[] = [];
    const result = await requireBuild(
      async () => status,
      (text) => told.push(text),
    );
    expect(result).toBe(exitCode);
    expect(told.join('').includes('run npm run build')).toBe(exitCode !== 0);
  },
);
