import { describeStatementEconomy } from '../../testing/conformance/statement-economy.ts';

describeStatementEconomy('postgresql');
