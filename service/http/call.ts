import type { Origin } from '../domain/actor.ts';

/** What middleware leaves on a request for those after it. */
export type AppEnv = {
  Variables: {
    requestId: string;
    origin: Origin;
    /** Who was found to call, for the log; null until then, and for nobody in particular. */
    caller: { accountId: string | null; name: string } | null;
    routeName: string;
  };
};
