'use client';

import { useEffect, useEffectEvent, useRef } from 'react';

import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import type { KeyActions } from '../actions/use-api-key-actions.ts';

/**
 * Opens the dialog for which the support desk links to the page of a key, once, if the person can
 * do that: `?act=rotate` rotates the key or requests its rotation, `?act=leak` reports a leak. Back
 * and a reload open the page alone.
 */
export function useAskedDialog(apiKey: ApiKey | undefined, actions: KeyActions): void {
  const isDone = useRef(false);
  const open = useEffectEvent((act: string, about: ApiKey) => {
    const { rotationOptionFor, onRotate, onRequestRotation, onReportLeak, onEndToken } = actions;
    const option = rotationOptionFor(about).kind;
    if (option === 'none' || option === 'requested') return;
    // Who may end tokens at once does it by rotating.
    if (act === 'leak' && onEndToken === undefined) onReportLeak(about, null);
    else if (option === 'rotate') onRotate(about, null);
    else onRequestRotation(about, null);
  });
  useEffect(() => {
    if (apiKey === undefined || isDone.current) return;
    isDone.current = true;
    const { pathname, search } = window.location;
    const act = new URLSearchParams(search).get('act');
    if (act !== 'rotate' && act !== 'leak') return;
    window.history.replaceState(null, '', pathname);
    if (apiKey.status === 'active' || apiKey.status === 'rotating') open(act, apiKey);
  }, [apiKey]);
}
