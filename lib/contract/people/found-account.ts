import type { Role } from '../rights/roles.ts';

/** The maximum number of accounts that a search returns. */
export const maxFoundAccounts = 20;

/** An account that installation support can open; `role` null: they do not belong to it. */
export type FoundAccount = { id: string; name: string; role: Role | null };
