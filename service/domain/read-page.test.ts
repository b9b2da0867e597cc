import { describeFollowedLists } from '../testing/conformance/followed-lists.ts';

describeFollowedLists('pglite');
