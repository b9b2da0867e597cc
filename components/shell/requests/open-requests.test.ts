import { expect, test } from 'vitest';
import { endReasonOf } from './open-requests.ts';

test('the old token or secret should end at once if it leaked, or if somebody who knew it has left', () => {
  expect(endReasonOf([{ reason: 'left' }])).toBe('left');
  expect(endReasonOf([{ reason: 'left' }, { reason: 'leaked' }])).toBe('leaked');
  expect(endReasonOf([{ reason: 'lost' }, { reason: 'scheduled' }])).toBeNull();
  expect(endReasonOf([])).toBeNull();
});
