import { expect, test } from 'vitest';
import { ServiceError } from './errors.ts';

test('an expected refusal records no stack trace, and errors after it record theirs', () => {
  expect(new ServiceError('NOT_FOUND').stack).not.toMatch(/^\s+at /m);
  expect(new Error('unexpected').stack).toMatch(/^\s+at .*errors\.test\.ts/m);
});
