import { ChevronDown } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { SecondLine } from '#components/ui/data-display/table.tsx';
import { Menu, MenuChoice } from '#components/ui/overlays/menu.tsx';
import type { Member } from '#lib/contract/people/members.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { MemberActions } from '../actions/use-member-actions.ts';
import type { MemberOptions } from '../member-options.ts';

type MemberRoleProps = {
  member: Member;
  options: MemberOptions;
  actions: MemberActions;
  isOnlyOwner: boolean;
};

/** The role of a member, as a menu for those who can change it. On a phone, the row has it. */
export function MemberRole({ member, options, actions, isOnlyOwner }: MemberRoleProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { label } = roleTable[member.role];
  if (options.roles.length === 0) {
    return (
      <>
        {label}
        {isOnlyOwner && <SecondLine className="max-sm:hidden">The only owner</SecondLine>}
      </>
    );
  }
  return (
    <>
      <span className="sm:hidden">{label}</span>
      <span className="max-sm:hidden">
        <Menu
          label={`Role of ${member.name}: ${label}. Change`}
          align="start"
          triggerRef={trigger}
          trigger={
            <button
              type="button"
              aria-label={`Role of ${member.name}: ${label}. Change`}
              className="-my-0.5 -ml-1.5 flex h-6 cursor-default items-center gap-1 rounded-2 px-1.5 hover:bg-fill-hover aria-expanded:bg-fill-active pointer-coarse:-my-3 pointer-coarse:h-11"
            >
              {label}
              <ChevronDown aria-hidden className="icon-14 text-ink-3" />
            </button>
          }
        >
          <RoleChoice member={member} options={options} actions={actions} opener={trigger} />
        </Menu>
      </span>
    </>
  );
}

type RoleChoiceProps = Omit<MemberRoleProps, 'isOnlyOwner'> & {
  opener: RefObject<HTMLButtonElement | null>;
};

/** The roles that a member can have, in a menu. To choose another opens a dialog. */
export function RoleChoice({ member, options, actions, opener }: RoleChoiceProps) {
  return (
    <MenuChoice
      label="Role"
      value={member.role}
      choices={options.roles.map((value) => ({ value, label: roleTable[value].label }))}
      onChange={(role) => actions.onChangeRole(member, role, opener.current)}
      closesMenu
    />
  );
}
