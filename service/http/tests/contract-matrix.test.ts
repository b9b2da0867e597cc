import { describe } from 'vitest';
import { describeContractMatrix } from '../../testing/conformance/contract-matrix.ts';

describe('a route, on PGlite,', () => {
  describeContractMatrix('pglite');
});
