'use client';

import { type ReactNode, createContext, use, useRef, useState } from 'react';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { type Departure, endGuardedEntry, guardLeaving } from './guard-leaving.ts';

export type SecretKind = 'token' | 'signing secret';

/** Runs a request whose answer shows a token or secret once. */
type GuardRequest = <Result extends { ok: boolean }>(
  kind: SecretKind,
  request: () => Promise<Result>,
) => Promise<Result>;

type Question = { kind: SecretKind; departure: Departure };

const LeaveGuard = createContext<GuardRequest | null>(null);

/**
 * Asks before the page is left while a request is in flight whose answer contains a new token or
 * secret, which would be lost. Once the answer is there, `OneTimeSecret` shows it and asks the same.
 */
export function LeaveGuardProvider({ children }: { children: ReactNode }) {
  const { goTo } = useNavigation();
  const [isAsking, setAsking] = useState(false);
  // Kept while the dialog closes, so that its words stay.
  const [question, setQuestion] = useState<Question>({ kind: 'token', departure: 'back' });
  // Not state: what is set in a transition is rendered when the transition ends, which is too late.
  const stopGuarding = useRef<(() => void) | null>(null);

  const guardRequest: GuardRequest = async (kind, request) => {
    if (stopGuarding.current !== null) return await request();
    const stop = guardLeaving((departure) => {
      setQuestion({ kind, departure });
      setAsking(true);
    });
    stopGuarding.current = stop;
    let isShown = false;
    try {
      const result = await request();
      isShown = result.ok;
      return result;
    } finally {
      stop();
      setAsking(false);
      if (stopGuarding.current === stop) {
        stopGuarding.current = null;
        // The dialog that shows the secret takes over the entry.
        if (!isShown) endGuardedEntry();
      }
    }
  };

  function leave() {
    const { departure } = question;
    stopGuarding.current?.();
    stopGuarding.current = null;
    setAsking(false);
    // The guarded entry is left as well, or replaced.
    if (departure === 'back') window.history.go(-2);
    else goTo(departure.href, 'replace');
  }

  return (
    <LeaveGuard value={guardRequest}>
      {children}
      <QuestionDialog
        open={isAsking}
        title={`Leave before the ${question.kind} is shown?`}
        stay="Stay"
        onStay={() => setAsking(false)}
        leave="Leave anyway"
        onLeave={leave}
      >
        The new {question.kind} will be shown only once. If you leave now, it is lost.
      </QuestionDialog>
    </LeaveGuard>
  );
}

/** For every request whose answer shows a token or secret once. */
export function useLeaveGuard(): GuardRequest {
  const guardRequest = use(LeaveGuard);
  if (guardRequest === null)
    throw new Error('useLeaveGuard must be used within LeaveGuardProvider.');
  return guardRequest;
}
