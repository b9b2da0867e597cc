import { describe } from 'vitest';
import { describeRobustness } from '../../testing/conformance/robustness.ts';
import { isFullRun } from '../../testing/full-run.ts';

describe.runIf(isFullRun)('generated requests over TCP, on PostgreSQL,', () => {
  describeRobustness('postgresql');
});
