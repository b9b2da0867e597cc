import { expect, test } from 'vitest';

import { formatResponsible } from './format-responsible.ts';

test('whoever left is no longer responsible, and can still be recognised', () => {
  const maria = { id: 'maria', name: 'Maria', is_member: true };
  expect(formatResponsible(maria)).toBe('Maria');
  expect(formatResponsible({ ...maria, is_member: false })).toBe('Nobody (Maria left)');
});
