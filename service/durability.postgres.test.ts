import { describeDurability } from './testing/durability.ts';

describeDurability('postgresql');
