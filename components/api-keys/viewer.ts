import type { Session } from '#lib/contract/people/sessions.ts';

/** The person who is signed in, with account and role. */
export type Viewer = Pick<Session, 'person' | 'account' | 'role'>;
