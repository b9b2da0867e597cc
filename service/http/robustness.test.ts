import { describe } from 'vitest';
import { describeRobustness } from '../testing/robustness-conformance.ts';

describe('generated requests over TCP, on PGlite,', () => {
  describeRobustness('pglite');
});
