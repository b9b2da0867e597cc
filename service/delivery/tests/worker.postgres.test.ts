import { describeDelivery } from '../../testing/conformance/delivery.ts';
import { describeLane } from '../../testing/conformance/lane.ts';
import { describeWebhookState } from '../../testing/conformance/webhook-state.ts';

describeDelivery('postgresql');
describeLane('postgresql');
describeWebhookState('postgresql');
