import { describe } from 'vitest';
import { describeContractMatrix } from '../../testing/conformance/contract-matrix.ts';

describe('a route, on PostgreSQL,', () => {
  describeContractMatrix('postgresql');
});
