import { describeDatabase } from '../testing/database-conformance.ts';

describeDatabase('pglite');
