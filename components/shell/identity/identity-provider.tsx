import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { ReadName } from '#lib/contract/routes.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { IdentityContext, type RunAction } from '../actions/use-identity.ts';
import type {
  IdentityPromptKind,
  IdentityPromptProps,
  PromptedSession,
} from './identity-prompt-props.ts';

type IdentityProviderProps = {
  /** Whom the page was made for. */
  session: PromptedSession;
  children: ReactNode;
};

type OpenPrompt = { kind: IdentityPromptKind; opener: HTMLElement | null };

/** Runs the actions below it. If one needs a proof or a sign-in, prompts, and calls it again. */
export function IdentityProvider({ session, children }: IdentityProviderProps) {
  const [openPrompt, setOpenPrompt] = useState<OpenPrompt | null>(null);
  const [isSessionEnded, setIsSessionEnded] = useState(false);
  const waitingCalls = useRef<((isConfirmed: boolean) => void)[]>([]);
  const queryClient = useQueryClient();

  function promptFor(kind: IdentityPromptKind): Promise<boolean> {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    if (kind === 'sign-in') setIsSessionEnded(true);
    // A sign-in also counts as a proof, so one prompt serves all waiting calls.
    setOpenPrompt((before) =>
      before === null ? { kind, opener } : { ...before, kind: strongerKind(before, kind) },
    );
    return new Promise((resolve) => waitingCalls.current.push(resolve));
  }

  function closePrompt(isConfirmed: boolean) {
    setOpenPrompt(null);
    for (const resolve of waitingCalls.current.splice(0)) resolve(isConfirmed);
  }

  function onSignedIn() {
    setIsSessionEnded(false);
    closePrompt(true);
    void queryClient.invalidateQueries();
  }

  // The service responds with "not found" to a person who no longer belongs to the account, and
  // with "forbidden" if their role was changed. `SessionChangedDialog` says so, or renders the page
  // again.
  function recheckMembership() {
    void queryClient.invalidateQueries({ queryKey: routeQuery(session, 'getSession').queryKey });
  }

  const runAction: RunAction = async (call) => {
    let isRepeated = false;
    for (;;) {
      const result = await catchFailedCall(call());
      if (result.ok) return result;
      // Another tab renewed the session during this call, so the browser has the new cookie now.
      if (result.code === 'SESSION_RENEWED' && !isRepeated) {
        isRepeated = true;
        continue;
      }
      // The action may have been carried out, so cached data may be out of date.
      if (isOutcomeUnknown(result)) void queryClient.invalidateQueries();
      if (isAboutMembership(result.code)) recheckMembership();
      const kind = promptKinds[result.code];
      if (kind === undefined) return result;
      if (!(await promptFor(kind))) return { ...result, message: cancelledMessages[kind] };
    }
  };

  useSessionEvents({
    onSignedOut: () => {
      if (!isSessionEnded) void promptFor('sign-in');
    },
    onRefused: recheckMembership,
    // Another tab signed in. `SessionChangedDialog` checks whether it was the same person.
    onSignedIn: () => {
      if (isSessionEnded) onSignedIn();
    },
  });

  return (
    <IdentityContext
      value={{
        personId: session.person.id,
        runAction,
        isSessionEnded: isSessionEnded && openPrompt === null,
        signInAgain: () => void promptFor('sign-in'),
      }}
    >
      {children}
      <Prompt
        shouldLoad={openPrompt !== null}
        kind={openPrompt?.kind ?? null}
        session={session}
        onConfirmed={() => closePrompt(true)}
        onSignedIn={onSignedIn}
        onSessionEnded={() => void promptFor('sign-in')}
        onCancel={() => closePrompt(false)}
        finalFocus={() => (openPrompt?.opener?.isConnected === true ? openPrompt.opener : null)}
      />
    </IdentityContext>
  );
}

type PromptProps = Omit<IdentityPromptProps, 'kind'> & {
  kind: IdentityPromptKind | null;
};

const Prompt = lazyComponent<PromptProps>(async () => {
  const { IdentityPrompt } = await import('./identity-prompt.tsx');
  return ({ kind, ...props }) => kind && <IdentityPrompt kind={kind} {...props} />;
});

const promptKinds: Partial<Record<string, IdentityPromptKind>> = {
  PROOF_REQUIRED: 'proof',
  UNAUTHORIZED: 'sign-in',
};

/** For callers that show why an action was not carried out. */
const cancelledMessages: Record<IdentityPromptKind, string> = {
  proof: 'Your password is needed for this.',
  'sign-in': 'Your session has ended.',
};

function strongerKind(before: OpenPrompt, kind: IdentityPromptKind): IdentityPromptKind {
  return before.kind === 'sign-in' ? 'sign-in' : kind;
}

type SessionEvents = {
  /** A query failed because the session has ended. */
  onSignedOut: () => void;
  /** A query asked for something that does not exist, or that this person may not see. */
  onRefused: () => void;
  /** The session was read successfully. */
  onSignedIn: () => void;
};

/** Watches the results of all queries for the end and the renewal of the session. */
function useSessionEvents({ onSignedOut, onRefused, onSignedIn }: SessionEvents) {
  const queryClient = useQueryClient();
  const signedOut = useEffectEvent(onSignedOut);
  const refused = useEffectEvent(onRefused);
  const signedIn = useEffectEvent(onSignedIn);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        const [route] = query.queryKey as QueryKey;
        const isSession = route === ('getSession' satisfies ReadName);
        if (action.type === 'success' && isSession) signedIn();
        if (action.type !== 'error' || !(action.error instanceof ApiError)) return;
        if (action.error.code === 'UNAUTHORIZED') signedOut();
        if (isAboutMembership(action.error.code) && !isSession) refused();
      }),
    [queryClient],
  );
}

/** Whether an error may mean that the person is no longer in the account, or has another role. */
function isAboutMembership(code: string): boolean {
  return code === 'NOT_FOUND' || code === 'FORBIDDEN';
}
