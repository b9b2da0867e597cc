import { expect, test } from 'vitest';
import { requireBuild } from './require-build.ts';

test.each([0, 1, 137])(
  'a build that ends with %i ends the start with that too, and with advice if it failed',
  async (status) => {
    const texts: string[] = [];
    const result = await requireBuild(
      async () => status,
      (text) => texts.push(text),
    );
    expect(result).toBe(status);
    expect(texts.join('').includes('run npm run build')).toBe(status !== 0);
  },
);
