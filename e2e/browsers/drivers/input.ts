/**
 * The format that WebDriver and WebDriver BiDi share: @see
 * https://www.w3.org/TR/webdriver2/#actions
 */
export type InputSource =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | {
      type: 'pointer';
      id: string;
      parameters: { pointerType: 'mouse' };
      actions: (
        | { type: 'pointerMove'; x: number; y: number }
        | { type: 'pointerDown' | 'pointerUp'; button: 0 }
      )[];
    };

/** @see https://www.w3.org/TR/webdriver2/#keyboard-actions */
const control = '\uE009';

export function pressAt({ x, y }: { x: number; y: number }): InputSource {
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  };
}

/** Presses keys one after the other. */
export function typing(text: string): InputSource {
  return {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  };
}

/** Presses a key while Control is held. */
export function withControl(value: string): InputSource {
  return {
    type: 'key',
    id: 'keyboard',
    actions: [
      { type: 'keyDown', value: control },
      { type: 'keyDown', value },
      { type: 'keyUp', value },
      { type: 'keyUp', value: control },
    ],
  };
}
