import { expect, test } from 'vitest';
import { makeMember } from '../../testing/make-member.ts';
import { describeSupportMembers } from './describe-support-members.ts';

test.each([
  [[], null],
  [['Ida'], 'Ida'],
  [['Ida', 'Tom'], 'Ida and Tom'],
  [['Ida', 'Tom', 'Eva'], 'Ida, Tom and Eva'],
  [['Ida', 'Tom', 'Eva', 'Jon', 'Lea'], 'Ida, Tom and 3 others'],
])('the support members %j are described as %s', (names, text) => {
  const members = names.map((name) => makeMember({ name, role: 'support' }));
  expect(describeSupportMembers([makeMember({ name: 'Olga', role: 'owner' }), ...members])).toBe(
    text,
  );
});
