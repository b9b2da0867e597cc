import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';

/** `proof`: the action needs a fresh proof. `sign-in`: the session has ended. */
export type IdentityPromptKind = 'proof' | 'sign-in';

export type IdentityPromptProps = {
  kind: IdentityPromptKind;
  session: PromptedSession;
  onConfirmed: () => void;
  /** Called after the same person signed in again. */
  onSignedIn: () => void;
  /** Called if the session ended before the proof was given. */
  onSessionEnded: () => void;
  onCancel: () => void;
  finalFocus: FocusTarget;
};

/** Whom the page was made for, and which second factors they had then. */
export type PromptedSession = Pick<
  Session,
  'person' | 'account' | 'second_factor' | 'passkey_host'
>;
