import { describeClaimInProgress } from '../../testing/conformance/claim-in-progress.ts';
import { describeDelivery } from '../../testing/conformance/delivery.ts';
import { describeLane } from '../../testing/conformance/lane.ts';
import { describeQueuedLane } from '../../testing/conformance/queued-lane.ts';
import { describeWebhookState } from '../../testing/conformance/webhook-state.ts';
import { describeWorkerHeartbeat } from '../../testing/conformance/worker-heartbeat.ts';
import { describeStatementCounts } from '../../testing/conformance/statement-counts.ts';

describeClaimInProgress('pglite');
describeDelivery('pglite');
describeLane('pglite');
describeQueuedLane('pglite');
describeWebhookState('pglite');
describeWorkerHeartbeat('pglite');
describeStatementCounts('pglite');
