import { describeWorkerHeartbeat } from '../../testing/conformance/worker-heartbeat.ts';

describeWorkerHeartbeat('pglite');
