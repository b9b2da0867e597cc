import type { Passkey } from '#lib/contract/people/second-factors.ts';

/** Which dialog about second factors is open. `codes`: shows recovery codes, this once. */
export type ShownFactorDialog =
  | { kind: 'add-passkey'; opener: HTMLElement | null }
  | { kind: 'rename-passkey'; passkey: Passkey; opener: HTMLElement | null }
  | { kind: 'remove-passkey'; passkey: Passkey; opener: HTMLElement | null }
  | { kind: 'set-up-app'; opener: HTMLElement | null }
  | { kind: 'remove-app'; opener: HTMLElement | null }
  | { kind: 'create-codes'; opener: HTMLElement | null }
  | { kind: 'codes'; codes: readonly string[]; opener: HTMLElement | null; message: string };
