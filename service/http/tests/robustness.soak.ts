import { describe } from 'vitest';
import { describeRobustness } from '../../testing/conformance/robustness.ts';

describe('on PGlite,', () => describeRobustness('pglite', 60));
describe('on PostgreSQL,', () => describeRobustness('postgresql', 60));
