import type { Cookie } from '@playwright/test';
import type { Control } from './control.ts';

export type Person = {
  email: string;
  password: string;
  /** The key of their authenticator app, if they have one. */
  totpSecret?: string;
};

export type Role = 'owner' | 'admin' | 'support' | 'viewer';

/** Someone with a role in an account, who is signed in. */
export type Member = Person & { session: Cookie[] };

/** The account that one test works in. */
export type Account = {
  id: string;
  name: string;
  /** The URL of its pages, with a slash at the end. */
  home: string;
  /** The email domain of everyone in this test, which no other test uses. */
  domain: string;
  owner: Person;
  /** The owner's cookies. */
  session: Cookie[];
  /** The token of its first key, which has every scope. */
  token: string;
  /** A member of the account with this role; the same one for each call. */
  memberWith: (role: Role) => Promise<Member>;
  /** Deletes the account after its test. */
  remove: () => Promise<void>;
};

/** A service under test, in which each test gets an account of its own. */
export type Installation = {
  origin: string;
  addAccount: (name: string) => Promise<Account>;
  /** What only tests may do to it; null if the kit did not start it. */
  readonly control: Control | null;
  close: () => Promise<void>;
};
