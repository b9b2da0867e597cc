import { describeClaimInProgress } from '../../testing/conformance/claim-in-progress.ts';
import { describeDelivery } from '../../testing/conformance/delivery.ts';
import { describeLane } from '../../testing/conformance/lane.ts';
import { describeQueuedLane } from '../../testing/conformance/queued-lane.ts';
import { describeWebhookState } from '../../testing/conformance/webhook-state.ts';
import { describeWorkerHeartbeat } from '../../testing/conformance/worker-heartbeat.ts';
import { describeStatementCounts } from '../../testing/conformance/statement-counts.ts';

describeClaimInProgress('postgresql');
describeDelivery('postgresql');
describeLane('postgresql');
describeQueuedLane('postgresql');
describeWebhookState('postgresql');
describeWorkerHeartbeat('postgresql');
describeStatementCounts('postgresql');
