import { describeEventFeed } from '../../testing/conformance/event-feed.ts';

describeEventFeed('postgresql');
