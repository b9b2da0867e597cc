/** What an `error.tsx` is given. */
export type Thrown = { error: unknown; retry: () => void };
