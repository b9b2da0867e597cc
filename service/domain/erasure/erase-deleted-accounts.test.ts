import { describeErasure } from '../../testing/conformance/erasure.ts';

describeErasure('pglite');
