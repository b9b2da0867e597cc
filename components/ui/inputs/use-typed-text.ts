'use client';

import { type KeyboardEvent, useRef } from 'react';

/**
 * Returns a function for key presses on a control without a text field. It returns what was typed
 * without a pause, including this key; null if the key types nothing.
 */
export function useTypedText(): (event: KeyboardEvent) => string | null {
  const latest = useRef({ text: '', at: 0 });
  return ({ key, altKey, ctrlKey, metaKey, timeStamp }) => {
    const isCharacter = key.length === 1 && !altKey && !ctrlKey && !metaKey;
    const before = timeStamp - latest.current.at < pauseMs ? latest.current.text : '';
    // A space alone presses the control.
    if (!isCharacter || (key === ' ' && before === '')) return null;
    latest.current = { text: before + key, at: timeStamp };
    return latest.current.text;
  };
}

/** After this time without a key press, the next letter begins a new word. */
const pauseMs = 750;
