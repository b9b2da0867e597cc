import { describeFairness } from '../../testing/conformance/fairness.ts';

describeFairness('pglite');
