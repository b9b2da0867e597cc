import { describeStatementEconomy } from '../testing/statement-economy.ts';

describeStatementEconomy('postgresql');
