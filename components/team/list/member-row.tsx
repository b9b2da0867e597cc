'use client';

import { LogOut, ScrollText, UserMinus } from 'lucide-react';
import { useRef } from 'react';

import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { Cell, Row, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { Member } from '#lib/contract/people/members.ts';

import type { MemberActions } from '../actions/use-member-actions.ts';
import type { MemberOptions } from '../member-options.ts';
import { describeFactors } from './describe-factors.ts';
import { LastSeen } from './last-seen.tsx';
import { MemberFactors } from './member-factors.tsx';
import { MemberRole, RoleChoice } from './member-role.tsx';

type MemberRowProps = {
  member: Member;
  options: MemberOptions;
  actions: MemberActions;
  /** Whether the member is the person who is signed in. */
  isSelf: boolean;
  isOnlyOwner: boolean;
  /** Whether the person who is signed in may read the audit log. */
  mayReadAuditLog: boolean;
  /** From when on the account requires a second factor; null: it does not. */
  factorRequiredFrom: string | null;
};

export function MemberRow({
  member,
  options,
  actions,
  isSelf,
  isOnlyOwner,
  mayReadAuditLog,
  factorRequiredFrom,
}: MemberRowProps) {
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <span className="flex gap-3">
          <span className="mt-1">
            <Avatar name={member.name} isRound isLarge />
          </span>
          <span className="min-w-0">
            <RowName>
              {member.name}
              {isSelf && (
                <>
                  {' '}
                  <span className="ml-1 text-micro font-normal text-ink-3">You</span>
                </>
              )}
            </RowName>
            <SecondLine>{member.email}</SecondLine>
            <SecondLine className="sm:hidden">
              {describeFactors(member.second_factor) ?? 'No second factor'}
            </SecondLine>
          </span>
        </span>
      </Cell>
      <Cell onPhone="top-end">
        <MemberRole member={member} options={options} actions={actions} isOnlyOwner={isOnlyOwner} />
      </Cell>
      <Cell onPhone="bottom-end">
        <LastSeen member={member} isSelf={isSelf} />
      </Cell>
      <Cell hideBelow="700px">
        <MemberFactors factors={member.second_factor} requiredFrom={factorRequiredFrom} />
      </Cell>
      <Cell onPhone="menu">
        <span className="-my-1 block text-right">
          <Actions
            member={member}
            options={options}
            actions={actions}
            mayReadAuditLog={mayReadAuditLog}
          />
        </span>
      </Cell>
    </Row>
  );
}

function Actions({
  member,
  options,
  actions,
  mayReadAuditLog,
}: Pick<MemberRowProps, 'member' | 'options' | 'actions' | 'mayReadAuditLog'>) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { roles, mayRemove, mayLeave } = options;
  if (roles.length === 0 && !mayReadAuditLog && !mayRemove && !mayLeave) return null;
  return (
    <Menu label={`Actions for ${member.name}`} triggerRef={trigger}>
      {roles.length > 0 && (
        <>
          <RoleChoice member={member} options={options} actions={actions} opener={trigger} />
          <MenuSeparator />
        </>
      )}
      {mayReadAuditLog && (
        <MenuLink icon={<ScrollText />} href={auditLogPathOf({ actor: member.id })}>
          Audit entries
        </MenuLink>
      )}
      {mayLeave && (
        <MenuItem
          icon={<LogOut />}
          tone="danger"
          onSelect={() => actions.onLeave(member, trigger.current)}
        >
          Leave account
        </MenuItem>
      )}
      {mayRemove && (
        <MenuItem
          icon={<UserMinus />}
          tone="danger"
          onSelect={() => actions.onRemove(member, trigger.current)}
        >
          Remove {member.name}
        </MenuItem>
      )}
    </Menu>
  );
}
