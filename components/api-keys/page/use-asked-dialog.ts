'use client';

import { useAskedAct } from '#components/shell/page/use-asked-act.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { outgoingRequestId } from './outgoing-rotation-request.tsx';

/**
 * Opens the dialog that a link to the key's page asks for, if the person can do that: `?act=rotate`
 * rotates the key or requests its rotation (or focuses the
 * person's open request), `?act=leak` does the same because its token leaked.
 */
export function useAskedDialog(apiKey: ApiKey | undefined, actions: KeyActions): void {
  useAskedAct(apiKey ?? null, (act, known) => {
    if (known.status !== 'active' && known.status !== 'rotating') return;
    if (act === 'leak') reportLeak(known, actions);
    if (act === 'rotate') rotate(known, actions);
  });
}

function rotate(apiKey: ApiKey, actions: KeyActions): void {
  const { kind } = actions.rotationOptionFor(apiKey);
  // The person asked already: the banner says so, and has what they can do now.
  if (kind === 'requested') document.getElementById(outgoingRequestId)?.focus();
  if (kind === 'rotate') actions.onRotate(apiKey, null);
  if (kind === 'request') actions.onRequestRotation(apiKey, null);
}

/**
 * A person who may end tokens immediately rotates the key. Others report the leak, and may then
 * revoke the key.
 */
function reportLeak(apiKey: ApiKey, actions: KeyActions): void {
  const option = actions.rotationOptionFor(apiKey);
  if (option.kind === 'none') return;
  if (option.kind === 'requested' && option.request.reason === 'leaked') {
    actions.onRevokeLeaked(apiKey, null, option.request);
  } else if (option.kind === 'rotate' && actions.onEndToken) actions.onRotateLeaked(apiKey, null);
  else actions.onReportLeak(apiKey, null);
}
