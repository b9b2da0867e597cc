import { describeDelivery } from '../testing/conformance/delivery.ts';

describeDelivery('pglite');
