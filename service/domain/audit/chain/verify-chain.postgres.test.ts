import { describeAuditChain } from '../../../testing/conformance/audit-chain.ts';

describeAuditChain('postgresql');
