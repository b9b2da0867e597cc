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

type ShownOnce = SecretKind | 'recovery codes';

/**
 * Runs a request whose answer shows something once.
 *
 * @param isShown whether the answer does; by default, if it is no failure
 */
type GuardRequest = <Result extends { ok: boolean }>(
  kind: ShownOnce,
  request: () => Promise<Result>,
  isShown?: (result: Result) => boolean,
) => Promise<Result>;

/** `depart` leaves the page as the person wanted to. */
type Question = { kind: ShownOnce | 'unsaved changes'; depart: () => void };

/** Stands from the press until the answer is there, or the person leaves. */
type Guard = { ask: (depart: () => void) => void; stop: () => void };

type LeaveGuards = {
  guardRequest: GuardRequest;
  /** Asks before the page is left, until the returned function is called. */
  guardUnsaved: () => () => void;
};

const LeaveGuard = createContext<LeaveGuards | null>(null);

/**
 * Asks before the page is left while a request is in flight whose answer contains a new token, secret
 * or recovery codes, which would be lost: by Back, by any navigation of the dashboard, and by what goes through
 * `leave`. Once the answer is there, `OneTimeDialog` shows it and asks the same. Also asks while a form
 * of the page has unsaved changes.
 */
export function LeaveGuardProvider({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const [isAsking, setAsking] = useState(false);
  // Kept while the dialog closes, so that its words stay.
  const [question, setQuestion] = useState<Question>({ kind: 'token', depart: () => undefined });
  // Not state: what is set in a transition is rendered when the transition ends, which is too late.
  const guard = useRef<Guard | null>(null);

  const guardRequest: GuardRequest = async (kind, request, isShown = ({ ok }) => ok) => {
    if (guard.current !== null) return await request();
    const ask = (depart: () => void) => {
      setQuestion({ kind, depart });
      setAsking(true);
    };
    const stop = guardLeaving(() => ask(goBack));
    const own = { ask, stop };
    guard.current = own;
    let hasDialog = false;
    try {
      const result = await request();
      hasDialog = isShown(result);
      return result;
    } finally {
      stop();
      setAsking(false);
      if (guard.current === own) {
        guard.current = null;
        // The dialog that shows the secret takes over the entry.
        if (!hasDialog) void endGuardedEntry();
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
        title={QUESTIONS[question.kind].title}
        stay="Stay"
        onStay={() => setAsking(false)}
        leave="Leave anyway"
        onLeave={leaveAnyway}
      >
        {QUESTIONS[question.kind].loss}
      </QuestionDialog>
    </LeaveGuard>
  );
}

const QUESTIONS: Record<Question['kind'], { title: string; loss: string }> = {
  token: {
    title: 'Leave before the token is shown?',
    loss: 'The new token will be shown only once. If you leave now, it is lost.',
  },
  'signing secret': {
    title: 'Leave before the signing secret is shown?',
    loss: 'The new signing secret will be shown only once. If you leave now, it is lost.',
  },
  'recovery codes': {
    title: 'Leave before the recovery codes are shown?',
    loss: 'The new recovery codes will be shown only once. If you leave now, they are lost, and codes you had before no longer work.',
  },
  'unsaved changes': {
    title: 'Leave without saving?',
    loss: 'Your changes on this page are not saved. If you leave now, they are lost.',
  },
};

/** For every request whose answer shows a token, secret or recovery codes once. */
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
