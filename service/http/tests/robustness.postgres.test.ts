import { describe } from 'vitest';
import { describeRobustness } from '../../testing/conformance/robustness.ts';

describe('generated requests over TCP, on PostgreSQL,', () => {
  describeRobustness('postgresql');
});
