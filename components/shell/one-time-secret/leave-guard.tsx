'use client';

import { type ReactNode, createContext, use, useRef, useState } from 'react';

import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { endGuardedEntry, goBack, guardLeaving } from './guard-leaving.ts';
import { isGuardedEntry } from './guarded-entry.ts';

export type SecretKind = 'token' | 'signing secret';

type SecretKindShownOnce = SecretKind | 'recovery codes' | 'invitation link';

/**
 * Runs a request whose response shows something once.
 *
 * @param isShown whether the response shows it; by default, whether it is not a failure
 */
type GuardRequest = <Result extends { ok: boolean }>(
  kind: SecretKindShownOnce,
  request: () => Promise<Result>,
  isShown?: (result: Result) => boolean,
) => Promise<Result>;

/** Why the page should not be left: the question that is asked. */
type Guard = {
  title: string;
  text: string;
  /** Whether a request is in flight, for which the router would wait. */
  isRequest: boolean;
};

/** `depart` leaves the page as the person wanted to. */
type Question = Pick<Guard, 'title' | 'text'> & { depart: () => void };

type LeaveGuards = {
  guardRequest: GuardRequest;
  /**
   * Whether a request is in flight whose response shows something once, or its dialog is yet to
   * open.
   */
  awaitsSecret: () => boolean;
  /** Asks before the page is left, until the returned function is called. */
  guardUnsaved: (question: Pick<Guard, 'title' | 'text'>) => () => void;
  /** Ends all guards, because the changes are saved. Resolves once a navigation can follow. */
  endGuards: () => Promise<void>;
};

const LeaveGuard = createContext<LeaveGuards | null>(null);

/**
 * Asks before the page is left while a request is in flight whose response contains a new token, a
 * secret, recovery codes or the link of an invitation, which would be lost. This covers Back, any
 * navigation of the dashboard, and whatever goes through `leave`. Once the response is there,
 * `OneTimeDialog` shows it and asks the same. Also asks while a form of the page has unsaved
 * changes.
 */
export function LeaveGuardProvider({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const [isAsking, setIsAsking] = useState(false);
  // Kept while the dialog closes, so that its words stay.
  const [question, setQuestion] = useState<Question>({
    title: '',
    text: '',
    depart: () => undefined,
  });
  // Not state: state that is set in a transition is rendered when the transition ends, which is too
  // late.
  const guards = useRef<readonly Guard[]>([]);
  const stop = useRef<() => void>(() => undefined);

  /** The newest guard asks: a form is unsaved while a request of it is in flight. */
  function ask({ title, text }: Guard, depart: () => void) {
    setQuestion({ title, text, depart });
    setIsAsking(true);
  }

  function begin(guard: Guard) {
    if (guards.current.length === 0) {
      stop.current = guardLeaving(() => {
        const newest = guards.current.at(-1);
        if (newest !== undefined) ask(newest, goBack);
      });
    }
    guards.current = [...guards.current, guard];
  }

  function end(guard: Guard) {
    if (!guards.current.includes(guard)) return;
    guards.current = guards.current.filter((other) => other !== guard);
    if (guards.current.length > 0) return;
    stop.current();
    void endGuardedEntry();
  }

  /** Ends all guards, but not the guarded entry. */
  function endAll() {
    guards.current = [];
    stop.current();
  }

  const guardRequest: GuardRequest = async (kind, request, isShown = ({ ok }) => ok) => {
    if (guards.current.some(({ isRequest }) => isRequest)) return await request();
    const own = {
      title: `Leave before the ${kind} ${kind === 'recovery codes' ? 'are' : 'is'} shown?`,
      text: `The new ${kind} will be shown only once. If you leave now, ${losses[kind]}`,
      isRequest: true,
    };
    begin(own);
    let hasDialog = false;
    try {
      const result = await request();
      hasDialog = isShown(result);
      return result;
    } finally {
      setIsAsking(false);
      // The changes are saved, and the dialog that shows the secret takes over the entry.
      if (hasDialog) endAll();
      else end(own);
    }
  };

  function awaitsSecret() {
    // After the response nothing guards the entry until its dialog takes it over.
    const isHandedOver = guards.current.length === 0 && isGuardedEntry();
    return isHandedOver || guards.current.some(({ isRequest }) => isRequest);
  }

  function guardUnsaved(texts: Pick<Guard, 'title' | 'text'>) {
    const own = { ...texts, isRequest: false };
    begin(own);
    return () => end(own);
  }

  async function endGuards() {
    endAll();
    await endGuardedEntry();
  }

  const goTo: typeof navigation.goTo = (path, how, extent) => {
    const newest = guards.current.at(-1);
    if (newest === undefined) navigation.goTo(path, how, extent);
    // A full page load: the router would wait for the request. It replaces the guarded entry.
    else if (newest.isRequest) ask(newest, () => window.location.replace(path));
    else ask(newest, () => void endGuardedEntry().then(() => navigation.goTo(path, how, extent)));
  };

  function leave(go: () => void) {
    const newest = guards.current.at(-1);
    if (newest === undefined) go();
    else ask(newest, () => void endGuardedEntry().then(go));
  }

  function leaveAnyway() {
    endAll();
    setIsAsking(false);
    question.depart();
  }

  return (
    <LeaveGuard value={{ guardRequest, awaitsSecret, guardUnsaved, endGuards }}>
      <NavigationContext value={{ ...navigation, goTo, leave }}>{children}</NavigationContext>
      <QuestionDialog
        open={isAsking}
        title={question.title}
        stay="Stay"
        onStay={() => setIsAsking(false)}
        leave="Leave anyway"
        onLeave={leaveAnyway}
      >
        {question.text}
      </QuestionDialog>
    </LeaveGuard>
  );
}

const losses: Record<SecretKindShownOnce, string> = {
  token: 'it is lost.',
  'signing secret': 'it is lost.',
  'invitation link': 'it is lost.',
  'recovery codes': 'they are lost, and codes you had before no longer work.',
};

/** For every request whose response shows a token, secret or recovery codes once. */
export function useLeaveGuard(): GuardRequest {
  return useLeaveGuards().guardRequest;
}

export function useLeaveGuards(): LeaveGuards {
  const guards = use(LeaveGuard);
  if (guards === null) throw new Error('useLeaveGuards must be used within LeaveGuardProvider.');
  return guards;
}
