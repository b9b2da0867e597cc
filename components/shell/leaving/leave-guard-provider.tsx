import { type ReactNode, useState } from 'react';
import { NavigationContext, useNavigation } from '#components/ui/navigation/navigation.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';
import { accountOf, sameArea } from '#lib/paths/account-path.ts';
import {
  ensureGuardedEntry,
  isGuardedEntry,
  leaveGuardedEntry,
  onBackFromGuardedEntry,
  popstateTimeoutMs,
} from './guarded-entry.ts';
import {
  type GuardRequest,
  LeaveGuardContext,
  type LeaveQuestion,
  type SecretKindShownOnce,
} from './use-leave-guard.ts';
import { warnBeforeUnload } from './warn-before-unload.ts';

/** `depart` leaves the page as the person wanted to. */
type Question = LeaveQuestion & { depart: () => void };

/**
 * Prompts before the page is left while a request is in flight whose response contains a new token,
 * a secret, recovery codes or the link of an invitation, which would be lost. This covers Back, any
 * navigation of the dashboard, and everything that goes through `leave`. Once the response is
 * there, `OneTimeDialog` shows it and asks the same. Also asks while a form of the page has unsaved
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

/** Why the page should not be left: the question that is asked. */
type Guard = LeaveQuestion & {
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
function createGuardStack(): GuardStack {
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

/**
 * Keeps the page open: Back calls `onBack` instead, and the browser asks before it closes or
 * reloads the tab. Returns a function that ends this.
 */
function guardLeaving(onBack: () => void): () => void {
  let isStopped = false;
  void beginGuardedEntry();
  const stopGuardingBack = onBackFromGuardedEntry(onBack);

  async function beginGuardedEntry() {
    // An earlier guard may still be removing it.
    await removal;
    if (!isStopped) ensureGuardedEntry();
  }

  const stopWarning = warnBeforeUnload();

  return () => {
    isStopped = true;
    stopGuardingBack();
    stopWarning();
  };
}

/** All guards share one history entry. This resolves when it is no longer being removed. */
let removal: Promise<void> = Promise.resolve();

/** Makes Back work as without a guard. */
function endGuardedEntry(): Promise<void> {
  removal = removal.then(leaveGuardedEntry);
  return removal;
}

/**
 * Goes back from a guarded page with a full page load: the router would wait for the request. In a
 * tab that had no page before, it goes to the list to which the page belongs.
 */
function goBack(): void {
  if (window.history.length <= guardedPageEntries) {
    const { pathname } = window.location;
    window.location.replace(sameArea(pathname, accountOf(pathname) ?? ''));
    return;
  }
  const reload = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    window.location.reload();
  };
  // Capture, to run before the router's own listener.
  window.addEventListener('popstate', reload, { capture: true, once: true });
  // If the browser sends no event, the next Back must not reload the page.
  setTimeout(
    () => window.removeEventListener('popstate', reload, { capture: true }),
    popstateTimeoutMs,
  );
  window.history.go(-guardedPageEntries);
}

/** The page itself, and the entry that guards it. */
const guardedPageEntries = 2;
