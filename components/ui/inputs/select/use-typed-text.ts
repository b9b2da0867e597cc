import { type KeyboardEvent, useRef } from 'react';

/**
 * Returns a function for key presses on a control without a text field. It returns what was typed
 * without a pause, including this key; null if the key types nothing.
 */
export function useTypedText(): (event: KeyboardEvent) => string | null {
  const latest = useRef(nothingTyped);
  return (event) => {
    latest.current = addKey(latest.current, event);
    return latest.current.isTyping ? latest.current.text : null;
  };
}

/** What was typed without a pause, and whether the last key added to it. `at` is in ms. */
export type Typed = { text: string; at: number; isTyping: boolean };

export const nothingTyped: Typed = { text: '', at: 0, isTyping: false };

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'timeStamp'>;

/** Any key but a character, such as Escape or an arrow, ends the word. Shift does not. */
export function addKey(typed: Typed, { key, altKey, ctrlKey, metaKey, timeStamp }: Key): Typed {
  if (key === 'Shift') return { ...typed, isTyping: false };
  const isCharacter = key.length === 1 && !altKey && !ctrlKey && !metaKey;
  const before = timeStamp - typed.at < pauseMs ? typed.text : '';
  // A space alone presses the control.
  if (!isCharacter || (key === ' ' && before === '')) return nothingTyped;
  return { text: before + key, at: timeStamp, isTyping: true };
}

/** After this time without a key press, the next letter begins a new word. */
const pauseMs = 750;
