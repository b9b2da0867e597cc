import { describeRecovery } from '../testing/delivery-recovery.ts';

describeRecovery('pglite');
