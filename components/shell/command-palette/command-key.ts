/** The name of the modifier key of shortcuts on this system. Call it in the browser only. */
export function commandKey(): '⌘' | 'Ctrl' {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
