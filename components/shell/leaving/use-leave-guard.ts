import { createContext, use } from 'react';

export type SecretKind = 'token' | 'signing secret';

export type SecretKindShownOnce = SecretKind | 'recovery codes' | 'invitation link';

/** Runs a request whose response shows something once; by default, one that is no failure. */
export type GuardRequest = <Result extends { ok: boolean }>(
  kind: SecretKindShownOnce,
  request: () => Promise<Result>,
  isShown?: (result: Result) => boolean,
) => Promise<Result>;

export type LeaveQuestion = { title: string; text: string };

type LeaveGuards = {
  guardRequest: GuardRequest;
  /** Whether a request is in flight that shows something once, or its dialog is yet to open. */
  awaitsSecret: () => boolean;
  /** Prompts before the page is left, until the returned function is called. */
  guardUnsaved: (question: LeaveQuestion) => () => void;
  /** Ends all guards, because the changes are saved. Resolves once a navigation can follow. */
  endGuards: () => Promise<void>;
};

export const LeaveGuardContext = createContext<LeaveGuards | null>(null);

/** For every request whose response shows a token, secret or recovery codes once. */
export function useLeaveGuard(): GuardRequest {
  return useLeaveGuards().guardRequest;
}

export function useLeaveGuards(): LeaveGuards {
  const guards = use(LeaveGuardContext);
  if (guards === null) throw new Error('useLeaveGuards must be used within LeaveGuardProvider.');
  return guards;
}
