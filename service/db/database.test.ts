import { describeDatabase } from '../testing/conformance/database.ts';

describeDatabase('pglite');
