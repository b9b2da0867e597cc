import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import type { OlderToken } from '../older-tokens.ts';

/** An act that was asked for, the key and its request as they stood then, and from where it was asked. */
export type OpenApiKeyDialog = {
  kind:
    | 'rotate'
    | 'request-rotation'
    | 'close-request'
    | 'revoke-leaked'
    | 'revoke'
    | 'end-token'
    | 'show-id';
  apiKey: ApiKey;
  /** The open request for its rotation. */
  request: RotationRequest | null;
  /** The older token that is to end. */
  token: OlderToken | null;
  opener: HTMLElement | null;
};
