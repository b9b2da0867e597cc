import { describeDeliveryDurability } from '../testing/delivery-durability.ts';

describeDeliveryDurability('pglite', 'sending');
describeDeliveryDurability('pglite', 'silently');
