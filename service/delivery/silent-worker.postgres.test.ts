import { describeDeliveryDurability } from '../testing/durability/delivery-durability.ts';

describeDeliveryDurability('postgresql', 'silently');
