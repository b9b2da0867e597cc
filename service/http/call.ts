import type { Actor, Origin } from '../domain/actor.ts';

/** What middleware leaves on a request for those after it. */
export type AppEnv = {
  Variables: {
    requestId: string;
    origin: Origin;
    actor: Actor | null;
    routeName: string;
  };
};
