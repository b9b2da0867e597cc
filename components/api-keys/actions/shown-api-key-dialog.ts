import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/** The open dialog, with key and request as they were, and the control that opened it. */
export type ShownApiKeyDialog = {
  kind:
    | 'rotate'
    | 'rotate-leaked'
    | 'request-rotation'
    | 'report-leak'
    | 'close-request'
    | 'revoke-leaked'
    | 'revoke'
    | 'pause'
    | 'resume'
    | 'end-token'
    | 'extend-token'
    | 'show-new-token'
    | 'undo-rotation'
    | 'notify-owners'
    | 'show-id';
  apiKey: ApiKey;
  request: RotationRequest | null;
  /** The older token to end, or the one that undoing the rotation makes the newest again. */
  token: OlderToken | null;
  opener: HTMLElement | null;
};

/**
 * How the dialog was closed. `changed`: keys must be read again. `rotated` says in addition how the
 * newest token of the key ends, since a further rotation names it before the keys are read.
 */
export type ApiKeyDialogOutcome =
  | { kind: 'cancelled' | 'changed' }
  | { kind: 'rotated'; uuid: string; lastFour: string };
