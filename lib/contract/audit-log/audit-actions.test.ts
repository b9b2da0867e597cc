import { expect, test } from 'vitest';
import { auditActionGroups, auditActions, describeAuditAction } from './audit-actions.ts';

test.each(Object.keys(auditActions))(
  'the action %s belongs to a group and has a sentence',
  (action) => {
    expect(Object.keys(auditActionGroups)).toContain(action.split('.')[0]);
    expect(describeAuditAction(action).before).toMatch(/^[a-z][a-z -]+ ?$/);
  },
);

test('an action that is not in the table is described by its name', () => {
  expect(describeAuditAction('lamp.lit')).toEqual({ before: 'lamp.lit: ', after: '' });
});

test('the sentence about a replay does not repeat the word of its target, “Replay to Orders”', () => {
  expect(describeAuditAction('replay.created').before).toBe('started ');
  expect(describeAuditAction('replay.cancelled').before).toBe('cancelled ');
});
