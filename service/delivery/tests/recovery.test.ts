import { describeRecovery } from '../../testing/conformance/recovery.ts';

describeRecovery('pglite');
