import { describeDurability } from '../testing/durability/durability.ts';

describeDurability('pglite');
