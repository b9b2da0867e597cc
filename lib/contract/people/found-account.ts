import type { Role } from '../roles.ts';

/** The most accounts that a search answers. */
export const maxFoundAccounts = 20;

/** An account that installation support can open; `role` null: they do not belong to it. */
export type FoundAccount = { id: string; name: string; role: Role | null };
