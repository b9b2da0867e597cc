import { describe } from 'vitest';
import { describeCallLog } from '../../../testing/conformance/call-log.ts';

describe('the log of calls, on PostgreSQL,', () => {
  describeCallLog('postgresql');
});
