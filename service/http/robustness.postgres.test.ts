import { describe } from 'vitest';
import { describeRobustness } from '../testing/robustness-conformance.ts';

describe('generated requests over TCP, on PostgreSQL,', () => {
  describeRobustness('postgresql');
});
