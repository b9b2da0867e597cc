import { describeTracing } from '../testing/conformance/tracing.ts';

describeTracing('pglite');
