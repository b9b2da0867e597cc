import { describeFairness } from '../testing/fairness-conformance.ts';

describeFairness('pglite');
