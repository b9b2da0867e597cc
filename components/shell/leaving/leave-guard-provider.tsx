'use client';

import { type ReactNode, useState } from 'react';

import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { endGuardedEntry, goBack } from './guard-leaving.ts';
import { isGuardedEntry } from './guarded-entry.ts';
import { type Guard, createGuardStack } from './guard-stack.ts';
import {
  type GuardRequest,
  type LeaveQuestion,
  type SecretKindShownOnce,
  LeaveGuardContext,
} from './use-leave-guard.ts';

/** `depart` leaves the page as the person wanted to. */
type Question = LeaveQuestion & { depart: () => void };

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
  // What it holds is not state: state that is set in a transition is rendered when the transition
  // ends, which is too late.
  const [guards] = useState(createGuardStack);

  function ask({ title, text }: Guard, depart: () => void) {
    setQuestion({ title, text, depart });
    setIsAsking(true);
  }

  function begin(guard: Guard) {
    guards.begin(guard, (newest) => ask(newest, goBack));
  }

  const guardRequest: GuardRequest = async (kind, request, isShown = ({ ok }) => ok) => {
    if (guards.hasRequest()) return await request();
    const own = { ...requestQuestion(kind), isRequest: true };
    begin(own);
    let hasDialog = false;
    try {
      const result = await request();
      hasDialog = isShown(result);
      return result;
    } finally {
      setIsAsking(false);
      // The changes are saved, and the dialog that shows the secret takes over the entry.
      if (hasDialog) guards.endAll();
      else guards.end(own);
    }
  };

  function awaitsSecret() {
    // After the response nothing guards the entry until its dialog takes it over.
    const isHandedOver = guards.newest() === undefined && isGuardedEntry();
    return isHandedOver || guards.hasRequest();
  }

  function guardUnsaved(texts: LeaveQuestion) {
    const own = { ...texts, isRequest: false };
    begin(own);
    return () => guards.end(own);
  }

  async function endGuards() {
    guards.endAll();
    await endGuardedEntry();
  }

  const goTo: typeof navigation.goTo = (path, how, extent) => {
    const newest = guards.newest();
    if (newest === undefined) navigation.goTo(path, how, extent);
    // A full page load: the router would wait for the request. It replaces the guarded entry.
    else if (newest.isRequest) ask(newest, () => window.location.replace(path));
    else ask(newest, () => void endGuardedEntry().then(() => navigation.goTo(path, how, extent)));
  };

  function leave(go: () => void) {
    const newest = guards.newest();
    if (newest === undefined) go();
    else ask(newest, () => void endGuardedEntry().then(go));
  }

  function leaveAnyway() {
    guards.endAll();
    setIsAsking(false);
    question.depart();
  }

  return (
    <LeaveGuardContext value={{ guardRequest, awaitsSecret, guardUnsaved, endGuards }}>
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
    </LeaveGuardContext>
  );
}

function requestQuestion(kind: SecretKindShownOnce): LeaveQuestion {
  return {
    title: `Leave before the ${kind} ${kind === 'recovery codes' ? 'are' : 'is'} shown?`,
    text: `The new ${kind} will be shown only once. If you leave now, ${losses[kind]}`,
  };
}

const losses: Record<SecretKindShownOnce, string> = {
  token: 'it is lost.',
  'signing secret': 'it is lost.',
  'invitation link': 'it is lost.',
  'recovery codes': 'they are lost, and codes you had before no longer work.',
};
