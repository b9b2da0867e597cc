'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, createContext, use, useRef, useState } from 'react';

import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { type Departure, endGuardedEntry, guardLeaving } from './guard-leaving.ts';

export type SecretKind = 'token' | 'signing secret';

/** Runs a request whose answer shows a token or secret once. */
type GuardRequest = <Result extends { ok: boolean }>(
  kind: SecretKind,
  request: () => Promise<Result>,
) => Promise<Result>;

const LeaveGuard = createContext<GuardRequest | null>(null);

/**
 * While a request is under way whose answer holds a new token or secret, the page asks before it is
 * left: nobody would have what the service made. Afterwards the dialog that shows it asks the same
 * (`OneTimeSecret`).
 */
export function LeaveGuardProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [question, setQuestion] = useState<{ kind: SecretKind; departure: Departure } | null>(null);
  // Not state: what is set in a transition is rendered when the transition ends, which is too late.
  const stopGuarding = useRef<(() => void) | null>(null);

  const guardRequest: GuardRequest = async (kind, request) => {
    if (stopGuarding.current !== null) return await request();
    const stop = guardLeaving((departure) => setQuestion({ kind, departure }));
    stopGuarding.current = stop;
    let isShown = false;
    try {
      const result = await request();
      isShown = result.ok;
      return result;
    } finally {
      stop();
      setQuestion(null);
      if (stopGuarding.current === stop) {
        stopGuarding.current = null;
        // The dialog that shows the secret takes over the entry.
        if (!isShown) endGuardedEntry();
      }
    }
  };

  function leave({ departure }: { departure: Departure }) {
    stopGuarding.current?.();
    stopGuarding.current = null;
    setQuestion(null);
    // The guarded entry is left as well, or replaced.
    if (departure === 'back') window.history.go(-2);
    else router.replace(departure.href);
  }

  return (
    <LeaveGuard value={guardRequest}>
      {children}
      <QuestionDialog
        open={question !== null}
        title={`Leave before the ${question?.kind ?? 'token'} is shown?`}
        stay="Stay"
        onStay={() => setQuestion(null)}
        leave="Leave anyway"
        onLeave={() => {
          if (question) leave(question);
        }}
      >
        The new {question?.kind} is on its way and is shown only once. If you leave now, nobody has
        it.
      </QuestionDialog>
    </LeaveGuard>
  );
}

/** For every request whose answer shows a token or secret once. */
export function useLeaveGuard(): GuardRequest {
  const guardRequest = use(LeaveGuard);
  if (guardRequest === null) throw new Error('This stands outside of LeaveGuardProvider.');
  return guardRequest;
}
