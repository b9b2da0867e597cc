import { describe, expect, test } from 'vitest';
import { addKey, nothingTyped, type Typed } from './use-typed-text.ts';

type Press = { key: string; timeStamp?: number; altKey?: boolean; ctrlKey?: boolean };

function press(...presses: Press[]): Typed {
  return presses.reduce<Typed>(
    (typed, { timeStamp = 1, ...key }) =>
      addKey(typed, { altKey: false, ctrlKey: false, metaKey: false, timeStamp, ...key }),
    nothingTyped,
  );
}

function keys(text: string, timeStamp = 1): Press[] {
  return [...text].map((key) => ({ key, timeStamp }));
}

describe('what is typed on a closed select', () => {
  test('is the characters without a pause between them', () => {
    expect(press(...keys('rev'))).toMatchObject({ text: 'rev', isTyping: true });
    expect(press(...keys('rev', 1000), ...keys('any', 1749))).toMatchObject({ text: 'revany' });
  });

  test('begins again after a pause', () => {
    expect(press(...keys('rev', 1000), ...keys('any', 1750))).toMatchObject({ text: 'any' });
  });

  test.each<Press>([
    { key: 'Escape' },
    { key: 'Enter' },
    { key: 'ArrowDown', altKey: true },
    { key: 'k', ctrlKey: true },
  ])('begins again after a key that types nothing, such as $key', (key) => {
    expect(press(...keys('rev'), key)).toMatchObject({ isTyping: false });
    expect(press(...keys('rev'), key, ...keys('any'))).toMatchObject({ text: 'any' });
  });

  test('goes on after Shift, which only changes the next character', () => {
    expect(press(...keys('r'), { key: 'Shift' })).toMatchObject({ isTyping: false });
    expect(press(...keys('r'), { key: 'Shift' }, ...keys('E'))).toMatchObject({ text: 'rE' });
  });

  test('includes a space within it, but not a space alone, which presses the select', () => {
    expect(press(...keys('two '))).toMatchObject({ text: 'two ', isTyping: true });
    expect(press(...keys(' '))).toMatchObject({ isTyping: false });
  });
});
