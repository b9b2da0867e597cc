import { describeWebhookFilters } from '../../testing/conformance/webhook-filters.ts';

describeWebhookFilters('pglite');
