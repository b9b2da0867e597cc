import { endGuardedEntry, guardLeaving } from './guard-leaving.ts';
import type { LeaveQuestion } from './use-leave-guard.ts';

/** Why the page should not be left: the question that is asked. */
export type Guard = LeaveQuestion & {
  /** Whether a request is in flight, for which the router would wait. */
  isRequest: boolean;
};

type GuardStack = {
  /** The guard that asks: a form is unsaved while a request of it is in flight. */
  newest: () => Guard | undefined;
  hasRequest: () => boolean;
  /** `onBack` is called with the newest guard in place of going back. */
  begin: (guard: Guard, onBack: (newest: Guard) => void) => void;
  end: (guard: Guard) => void;
  /** Ends all guards, but not the guarded entry. */
  endAll: () => void;
};

/** The guards of a page. While there is one, the page has a guarded entry in the history. */
export function createGuardStack(): GuardStack {
  let guards: readonly Guard[] = [];
  let stop: () => void = () => undefined;
  const newest = () => guards.at(-1);
  return {
    newest,
    hasRequest: () => guards.some(({ isRequest }) => isRequest),
    begin: (guard, onBack) => {
      if (guards.length === 0) {
        stop = guardLeaving(() => {
          const asking = newest();
          if (asking !== undefined) onBack(asking);
        });
      }
      guards = [...guards, guard];
    },
    end: (guard) => {
      if (!guards.includes(guard)) return;
      guards = guards.filter((other) => other !== guard);
      if (guards.length > 0) return;
      stop();
      void endGuardedEntry();
    },
    endAll: () => {
      guards = [];
      stop();
    },
  };
}
