import { describeLifecycleEvents } from '../../testing/conformance/lifecycle-events.ts';

describeLifecycleEvents('pglite');
