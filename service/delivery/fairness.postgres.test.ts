import { describeFairness } from '../testing/fairness-conformance.ts';

describeFairness('postgresql');
