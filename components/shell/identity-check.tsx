'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';

import { lazyPart } from '#components/ui/lazy-part.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';
import type { Session } from '#lib/contract/dashboard.ts';

import type { IdentityPromptProps, IdentityQuestion } from './identity-prompt.tsx';
import { type Act, IdentityContext } from './use-act.ts';

type IdentityCheckProps = {
  /** Whom the page was made for. */
  session: Pick<Session, 'person' | 'account'>;
  children: ReactNode;
};

type Asked = { question: IdentityQuestion; opener: HTMLElement | null };

/**
 * Asks who is there where the service wants to know, for every act and every refetch below it. The
 * page stays: what was typed is kept, and the act that was refused is done again.
 */
export function IdentityCheck({ session, children }: IdentityCheckProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOver, setOver] = useState(false);
  const waiting = useRef<((isKnown: boolean) => void)[]>([]);
  const queryClient = useQueryClient();

  function ask(question: IdentityQuestion): Promise<boolean> {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    if (question === 'sign-in') setOver(true);
    // Whoever signs in has given the password as well, so one question serves all who wait.
    setAsked((before) =>
      before === null ? { question, opener } : { ...before, question: harder(before, question) },
    );
    return new Promise((resolve) => waiting.current.push(resolve));
  }

  function answer(isKnown: boolean) {
    setAsked(null);
    for (const resolve of waiting.current.splice(0)) resolve(isKnown);
  }

  function onSignedIn() {
    setOver(false);
    answer(true);
    void queryClient.invalidateQueries();
  }

  const act: Act = async (call) => {
    let isRepeated = false;
    for (;;) {
      const result = await catchNetworkError(call());
      if (result.ok) return result;
      // Another tab renewed the session while this was on its way, so the browser has the new cookie.
      if (result.code === 'SESSION_RENEWED' && !isRepeated) {
        isRepeated = true;
        continue;
      }
      // It may have been done, so what was read before may be true no longer.
      if (isOutcomeUnknown(result)) void queryClient.invalidateQueries();
      const question = QUESTIONS[result.code];
      if (question === undefined) return result;
      if (!(await ask(question))) return { ...result, message: LEFT[question] };
    }
  };

  useSessionReads({
    onSignedOut: () => {
      if (!isOver) void ask('sign-in');
    },
    // Another tab signed in; whether it was the same person is another question.
    onSignedIn: () => {
      if (isOver) onSignedIn();
    },
  });

  return (
    <IdentityContext
      value={{ act, isOver: isOver && asked === null, signInAgain: () => void ask('sign-in') }}
    >
      {children}
      <Prompt
        isWanted={asked !== null}
        question={asked?.question ?? null}
        session={session}
        onProved={() => answer(true)}
        onSignedIn={onSignedIn}
        onSessionOver={() => void ask('sign-in')}
        onLeave={() => answer(false)}
        finalFocus={() => (asked?.opener?.isConnected === true ? asked.opener : null)}
      />
    </IdentityContext>
  );
}

type PromptProps = Omit<IdentityPromptProps, 'question'> & {
  /** Null: nothing is asked. */
  question: IdentityQuestion | null;
};

const Prompt = lazyPart<PromptProps>(async () => {
  const { IdentityPrompt } = await import('./identity-prompt.tsx');
  return ({ question, ...props }) => question && <IdentityPrompt question={question} {...props} />;
});

const QUESTIONS: Partial<Record<string, IdentityQuestion>> = {
  PROOF_REQUIRED: 'proof',
  UNAUTHORIZED: 'sign-in',
};

/** For the few places that must say why they stopped half-way. */
const LEFT: Record<IdentityQuestion, string> = {
  proof: 'Your password is needed for this.',
  'sign-in': 'Your session has ended.',
};

function harder(before: Asked, question: IdentityQuestion): IdentityQuestion {
  return before.question === 'sign-in' ? 'sign-in' : question;
}

type SessionReads = {
  /** Something could not be read because nobody is signed in any longer. */
  onSignedOut: () => void;
  /** The session could be read. */
  onSignedIn: () => void;
};

/** Learns from everything the page reads whether somebody is signed in. */
function useSessionReads({ onSignedOut, onSignedIn }: SessionReads) {
  const queryClient = useQueryClient();
  const signedOut = useEffectEvent(onSignedOut);
  const signedIn = useEffectEvent(onSignedIn);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        if (action.type === 'success' && query.queryHash.startsWith('["session",')) signedIn();
        if (action.type !== 'error' || !(action.error instanceof ApiError)) return;
        if (action.error.code === 'UNAUTHORIZED') signedOut();
      }),
    [queryClient],
  );
}
