import { describePresence } from '../../testing/conformance/presence.ts';

describePresence('pglite');
