import { expect, test } from 'vitest';
import { auditActionGroups, auditActions, describeAuditAction } from './audit-actions.ts';

test.each(Object.keys(auditActions))(
  'the action %s is of a group and says what was done',
  (action) => {
    expect(Object.keys(auditActionGroups)).toContain(action.split('.')[0]);
    expect(describeAuditAction(action).before).toMatch(/^[a-z][a-z -]+ ?$/);
  },
);

test('an action that no table knows is said by its name', () => {
  expect(describeAuditAction('lamp.lit')).toEqual({ before: 'lamp.lit: ', after: '' });
});
