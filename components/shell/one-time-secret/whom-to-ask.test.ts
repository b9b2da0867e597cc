import { expect, test } from 'vitest';

import { whomToAsk } from './whom-to-ask.ts';

const ida = { kind: 'person', id: 'ida', name: 'Ida' } as const;

test('nobody is told to ask themselves', () => {
  expect(whomToAsk(ida, 'sam')).toBe('Ask Ida, an owner or an admin.');
  expect(whomToAsk(ida, 'ida')).toBe('Ask an owner or an admin.');
});
