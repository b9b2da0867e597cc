import { describePresence } from '../testing/delivery-presence.ts';

describePresence('postgresql');
