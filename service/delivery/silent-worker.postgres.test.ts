import { describeDeliveryDurability } from '../testing/delivery-durability.ts';

describeDeliveryDurability('postgresql', 'silently');
