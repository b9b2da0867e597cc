import { expect, test } from 'vitest';
import { buildForStart } from './build-for-start.ts';

async function buildEndingWith(status: number) {
  const texts: string[] = [];
  const result = await buildForStart(
    async () => status,
    (text) => texts.push(text),
  );
  return { result, said: texts.join('') };
}

test('after a build that succeeds, a start continues and says nothing', async () => {
  expect(await buildEndingWith(0)).toEqual({ result: 0, said: '' });
});

test.each([1, 137])(
  'after a build that ends with %i, a start ends with that status too, and says what to do',
  async (status) => {
    const { result, said } = await buildEndingWith(status);
    expect(result).toBe(status);
    expect(said).toContain('run npm run build');
  },
);
