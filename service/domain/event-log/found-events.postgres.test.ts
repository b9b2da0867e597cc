import { describeFoundEvents } from '../../testing/conformance/found-events.ts';

describeFoundEvents('postgresql');
