'use client';

import { useActionFromUrl } from '#components/shell/page/use-action-from-url.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { outgoingRequestId } from './outgoing-rotation-request.tsx';

/**
 * Opens the dialog that a link to the key's page asks for, if the person may open it. `?act=rotate`
 * rotates the key, requests its rotation, or focuses the person's open request. `?act=leak` rotates
 * the key or reports the leak, because its token leaked.
 */
export function useKeyActionFromUrl(apiKey: ApiKey | undefined, actions: KeyActions): void {
  useActionFromUrl(apiKey ?? null, (action, known) => {
    if (known.status !== 'active' && known.status !== 'rotating') return;
    if (action === 'leak') reportLeak(known, actions);
    if (action === 'rotate') rotate(known, actions);
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
