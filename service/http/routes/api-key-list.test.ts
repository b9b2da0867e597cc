import { describeApiKeyLists } from '../../testing/api-key-lists.ts';

describeApiKeyLists('pglite');
