import type { Session } from '#lib/contract/people/sessions.ts';

/** The person who is signed in, with their role in the account and all accounts they belong to. */
export type Viewer = Pick<
  Session,
  'person' | 'account' | 'accounts' | 'role' | 'is_installation_support'
>;
