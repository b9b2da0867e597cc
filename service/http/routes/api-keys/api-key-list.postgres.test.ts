import { describeApiKeyLists } from '../../../testing/conformance/api-key-lists.ts';

describeApiKeyLists('postgresql');
