import { expect, test } from 'vitest';
import { exitStatus } from './exit-status.ts';

test.each([
  [0, null, 0],
  [7, null, 7],
  [null, 'SIGKILL', 137],
  [null, 'SIGTERM', 143],
] as const)(
  'a child that ends with %s or signal %s has the exit status %i, as in a shell',
  (code, signal, status) => expect(exitStatus(code, signal)).toBe(status),
);
