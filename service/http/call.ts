import type { Origin } from '../domain/actor.ts';

/** What middleware leaves on a request for those after it. */
export type AppEnv = {
  Variables: {
    requestId: string;
    origin: Origin;
    /**
     * The authenticated caller, for the log; null before authentication and for calls without one.
     */
    caller: { accountId: string | null; name: string } | null;
    routeName: string;
  };
};
