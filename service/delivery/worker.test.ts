import { describeDelivery } from '../testing/delivery-conformance.ts';

describeDelivery('pglite');
