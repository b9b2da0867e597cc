import { expect, test } from 'vitest';
import { endReasonOf } from './open-requests.ts';

test('the old token or secret should end immediately if it leaked, or if someone who knew it has left', () => {
  expect(endReasonOf([{ reason: 'left' }])).toBe('left');
  expect(endReasonOf([{ reason: 'left' }, { reason: 'leaked' }])).toBe('leaked');
  expect(endReasonOf([{ reason: 'lost' }, { reason: 'scheduled' }])).toBeNull();
  expect(endReasonOf([])).toBeNull();
});
