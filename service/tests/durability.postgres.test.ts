import { describeDurability } from '../testing/durability/durability.ts';

describeDurability('postgresql');
