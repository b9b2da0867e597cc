import { describeDeliveryDurability } from '../testing/durability/delivery-durability.ts';

describeDeliveryDurability('pglite', 'sending');
describeDeliveryDurability('pglite', 'silently');
