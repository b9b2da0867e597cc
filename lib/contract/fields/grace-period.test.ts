import { describe, expect, test } from 'vitest';
import { daySeconds, hourSeconds } from '#lib/durations.ts';
import { mayGiveGrace, offerGrace } from './grace-period.ts';

const usual = [0, hourSeconds, daySeconds, 7 * daySeconds];

describe('the grace periods that the dashboard offers', () => {
  test('have the operator’s setting selected', () => {
    for (const preferred of usual) {
      expect(offerGrace({ preferred, mayEndTokens: true })).toEqual({
        choices: usual,
        selected: preferred,
      });
    }
  });

  test('contain the operator’s setting if it is another one', () => {
    expect(offerGrace({ preferred: 2 * hourSeconds, mayEndTokens: true })).toEqual({
      choices: [0, hourSeconds, 2 * hourSeconds, daySeconds, 7 * daySeconds],
      selected: 2 * hourSeconds,
    });
  });

  test.each([0, 60, 3599, 3600, 5000, 86_400, 604_800])(
    'are all open to a person who may not end tokens, with a setting of %i',
    (preferred) => {
      const { choices, selected } = offerGrace({ preferred, mayEndTokens: false });
      const refused = choices.filter((seconds) => !mayGiveGrace(seconds, { mayEndTokens: false }));
      expect(refused).toEqual([]);
      expect(choices).toContain(selected);
      expect(selected).toBe(Math.max(preferred, hourSeconds));
    },
  );
});
