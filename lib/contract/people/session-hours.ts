/** After how many hours the sessions in an account can end, as its owners choose. */
export const sessionHours = [1, 4, 8, 12, 24, 72, 168] as const;

export type SessionHours = (typeof sessionHours)[number];
