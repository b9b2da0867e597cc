import type { Session } from '#lib/contract/dashboard.ts';

/** The person who is signed in, with their role in the account and all their accounts. */
export type Viewer = Pick<Session, 'person' | 'account' | 'accounts' | 'role'>;
