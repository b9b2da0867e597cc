'use client';

import {
  type ReactNode,
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { endGuardedEntry, goBack, guardLeaving } from './guard-leaving.ts';

export type SecretKind = 'token' | 'signing secret';

/** Runs a request whose answer shows a token or secret once. */
type GuardRequest = <Result extends { ok: boolean }>(
  kind: SecretKind,
  request: () => Promise<Result>,
) => Promise<Result>;

/** `depart` leaves the page as the person wanted to. */
type Question = { kind: SecretKind | 'unsaved changes'; depart: () => void };

/** Stands from the press until the answer is there, or the person leaves. */
type Guard = { ask: (depart: () => void) => void; stop: () => void };

type LeaveGuards = {
  guardRequest: GuardRequest;
  /** Asks before the page is left, until the returned function is called. */
  guardUnsaved: () => () => void;
};

const LeaveGuard = createContext<LeaveGuards | null>(null);

/**
 * Asks before the page is left while a request is in flight whose answer contains a new token or
 * secret, which would be lost: by Back, by any navigation of the dashboard, and by what goes through
 * `leave`. Once the answer is there, `OneTimeSecret` shows it and asks the same. Also asks while a form
 * of the page has unsaved changes.
 */
export function LeaveGuardProvider({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const [isAsking, setAsking] = useState(false);
  // Kept while the dialog closes, so that its words stay.
  const [question, setQuestion] = useState<Question>({ kind: 'token', depart: () => undefined });
  // Not state: what is set in a transition is rendered when the transition ends, which is too late.
  const guard = useRef<Guard | null>(null);

  const guardRequest: GuardRequest = async (kind, request) => {
    if (guard.current !== null) return await request();
    const ask = (depart: () => void) => {
      setQuestion({ kind, depart });
      setAsking(true);
    };
    const stop = guardLeaving(() => ask(goBack));
    const own = { ask, stop };
    guard.current = own;
    let isShown = false;
    try {
      const result = await request();
      isShown = result.ok;
      return result;
    } finally {
      stop();
      setAsking(false);
      if (guard.current === own) {
        guard.current = null;
        // The dialog that shows the secret takes over the entry.
        if (!isShown) void endGuardedEntry();
      }
    }
  };

  function guardUnsaved() {
    const ask = (depart: () => void) => {
      setQuestion({ kind: 'unsaved changes', depart });
      setAsking(true);
    };
    const own = { ask, stop: guardLeaving(() => ask(goBack)) };
    guard.current ??= own;
    return () => {
      own.stop();
      if (guard.current !== own) return;
      guard.current = null;
      void endGuardedEntry();
    };
  }

  const goTo: typeof navigation.goTo = (path, how, extent) => {
    if (guard.current === null) navigation.goTo(path, how, extent);
    // A full page load: the router would wait for the request. It replaces the guarded entry.
    else guard.current.ask(() => window.location.replace(path));
  };

  function leave(go: () => void) {
    if (guard.current === null) go();
    else guard.current.ask(() => void endGuardedEntry().then(go));
  }

  function leaveAnyway() {
    guard.current?.stop();
    guard.current = null;
    setAsking(false);
    question.depart();
  }

  return (
    <LeaveGuard value={{ guardRequest, guardUnsaved }}>
      <NavigationContext value={{ ...navigation, goTo, leave }}>{children}</NavigationContext>
      <QuestionDialog
        open={isAsking}
        title={
          question.kind === 'unsaved changes'
            ? 'Leave without saving?'
            : `Leave before the ${question.kind} is shown?`
        }
        stay="Stay"
        onStay={() => setAsking(false)}
        leave="Leave anyway"
        onLeave={leaveAnyway}
      >
        {question.kind === 'unsaved changes'
          ? 'Your changes on this page are not saved. If you leave now, they are lost.'
          : `The new ${question.kind} will be shown only once. If you leave now, it is lost.`}
      </QuestionDialog>
    </LeaveGuard>
  );
}

/** For every request whose answer shows a token or secret once. */
export function useLeaveGuard(): GuardRequest {
  return useLeaveGuards().guardRequest;
}

/** For a form whose values would be lost with its page. */
export function useUnsavedGuard(isUnsaved: boolean): void {
  const { guardUnsaved } = useLeaveGuards();
  const begin = useEffectEvent(guardUnsaved);
  useEffect(() => (isUnsaved ? begin() : undefined), [isUnsaved]);
}

function useLeaveGuards(): LeaveGuards {
  const guards = use(LeaveGuard);
  if (guards === null) throw new Error('useLeaveGuard must be used within LeaveGuardProvider.');
  return guards;
}
