import type { ReactNode } from 'react';

type FrameAccount = { id: string; name: string };

export type FramePerson = { name: string; email: string; roleLabel: string };

export type FrameProps = {
  account: { name: string };
  /** All the person belongs to. With more than one, and `switchAccount`, the account block is a menu. */
  accounts?: readonly FrameAccount[] | undefined;
  switchAccount?: ((id: string) => Promise<void>) | undefined;
  person: FramePerson;
  /** A server action: ends the session and leads to the door. */
  signOut: () => Promise<void>;
  children: ReactNode;
};
