import { expect, test } from 'vitest';

import { whoCanHelp } from './who-can-help.ts';

const ida = { kind: 'person', id: 'ida', name: 'Ida' } as const;

test('nobody is told to ask themselves', () => {
  expect(whoCanHelp(ida, 'sam')).toBe('Ask Ida, an owner or an admin.');
  expect(whoCanHelp(ida, 'ida')).toBe('Ask an owner or an admin.');
});
