import { expect, test } from 'vitest';
import { formatResponsible } from './format-responsible.ts';

test('a member who left is no longer responsible, but is still named', () => {
  const maria = { id: 'maria', name: 'Maria', is_member: true };
  expect(formatResponsible(maria)).toBe('Maria');
  expect(formatResponsible({ ...maria, is_member: false })).toBe('Nobody (Maria left)');
});
