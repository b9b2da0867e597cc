import { describe } from 'vitest';

/** Services are killed at random moments: once in `npm test`, and here many times. */
describe('ten times each,', { repeats: 9 }, async () => {
  await import('./crash.durability.test.ts');
  await import('./durability.postgres.test.ts');
  await import('../delivery/tests/crash.durability.test.ts');
  await import('../delivery/tests/durability.postgres.test.ts');
});
