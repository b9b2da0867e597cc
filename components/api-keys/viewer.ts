import type { Session } from '#lib/contract/dashboard.ts';

/** Who looks at the keys, in which account, with which role. */
export type Viewer = Pick<Session, 'person' | 'account' | 'role'>;
