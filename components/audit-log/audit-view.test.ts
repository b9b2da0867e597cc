import { describe, expect, test } from 'vitest';
import { labelOfAction } from './audit-view.ts';

describe('the label of an action in the filter', () => {
  test.each([
    ['webhook', 'Webhooks'],
    ['api_key.created', 'Created the key …'],
    ['member.added', 'Added … to the team'],
    ['replay.created', 'Started a replay'],
    ['replay.cancelled', 'Cancelled a replay'],
    ['session.created', 'Signed in'],
  ])('%s is labeled “%s”, which says what was changed', (action, label) => {
    expect(labelOfAction(action)).toBe(label);
  });

  test('an action that this version does not know is labeled with its name', () => {
    expect(labelOfAction('lamp.lit')).toBe('Lamp.lit');
  });
});
