import { describe, expect, test } from 'vitest';
import { type Role, roles } from '#lib/contract/rights/roles.ts';
import { findMemberOptions, isOnlyOwner } from './member-options.ts';
import { makeMember } from '../testing/make-member.ts';

const members = [
  ...roles.map((role) => makeMember({ id: role, role })),
  makeMember({ id: 'second owner', role: 'owner' }),
];

/** The options that a person with a role has for the member with this id. */
function optionsOf(role: Role, id: string, among = members) {
  const member = among.find((one) => one.id === id) ?? makeMember();
  const person = { id: role, name: role, email: `${role}@example.com` };
  return findMemberOptions(member, { session: { person, role }, members: among });
}

test('an owner gives every member any role and removes everyone else', () => {
  for (const id of ['admin', 'support', 'viewer', 'second owner']) {
    expect(optionsOf('owner', id)).toEqual({ roles, mayRemove: true, mayLeave: false });
  }
  expect(optionsOf('owner', 'owner')).toEqual({ roles, mayRemove: false, mayLeave: true });
});

test('an admin neither makes an owner nor changes or removes one', () => {
  const below = ['admin', 'support', 'viewer'];
  expect(optionsOf('admin', 'viewer')).toEqual({ roles: below, mayRemove: true, mayLeave: false });
  expect(optionsOf('admin', 'admin')).toEqual({ roles: below, mayRemove: false, mayLeave: true });
  expect(optionsOf('admin', 'owner')).toEqual({ roles: [], mayRemove: false, mayLeave: false });
});

test.each(['support', 'viewer'] as const)('%s can only leave', (role) => {
  for (const { id } of members) {
    expect(optionsOf(role, id)).toEqual({ roles: [], mayRemove: false, mayLeave: id === role });
  }
});

describe('the only owner', () => {
  const one = members.filter(({ id }) => id !== 'second owner');

  test('can neither be removed, leave nor get another role, no matter who the person is', () => {
    for (const role of roles) {
      expect(optionsOf(role, 'owner', one)).toEqual({
        roles: [],
        mayRemove: false,
        mayLeave: false,
      });
    }
  });

  test('is distinguished from one of two owners and from other members', () => {
    expect(one.filter((member) => isOnlyOwner(member, one)).map(({ id }) => id)).toEqual(['owner']);
    expect(members.some((member) => isOnlyOwner(member, members))).toBe(false);
  });
});
