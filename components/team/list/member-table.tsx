import { LogOut, Mail, ScrollText, UserMinus } from 'lucide-react';
import { useRef } from 'react';
import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { describeUserAgent } from '#lib/describe-user-agent.ts';
import type { MemberActions } from '../actions/use-member-actions.ts';
import { isOnlyOwner, type MemberOptions } from '../member-options.ts';
import { describeFactors } from './describe-factors.ts';
import { MemberFactors } from './member-factors.tsx';
import { MemberRole, RoleChoice } from './member-role.tsx';
import { memberColumns } from './member-columns.tsx';

type Context = {
  members: readonly Member[];
  optionsOf: (member: Member) => MemberOptions;
  actions: MemberActions;
  personId: string;
  /** Whether the person who is signed in may read the audit log. */
  mayReadAuditLog: boolean;
  /** Whether they may remind members of a required second factor. */
  mayRemind: boolean;
  /** From when on the account requires a second factor; null: it does not. */
  factorRequiredFrom: string | null;
};

type MemberTableProps = Context & { accountName: string; isBusy: boolean };

export function MemberTable({
  accountName,
  isBusy,
  members,
  optionsOf,
  actions,
  personId,
  mayReadAuditLog,
  mayRemind,
  factorRequiredFrom,
}: MemberTableProps) {
  return (
    <DataTable
      caption={`Members of ${accountName}`}
      columns={memberColumns}
      cells={cells}
      isBusy={isBusy}
      rows={members}
      context={{
        members,
        optionsOf,
        actions,
        personId,
        mayReadAuditLog,
        mayRemind,
        factorRequiredFrom,
      }}
      rowProps={({ id }) => ({ key: id })}
    />
  );
}

const cells: Cells<typeof memberColumns, Member, Context> = {
  member: (member, { personId }) => (
    <span className="flex gap-3">
      <span className="mt-1">
        <Avatar name={member.name} isRound isLarge />
      </span>
      <span className="min-w-0">
        <RowName>
          {member.name}
          {member.id === personId && (
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
  ),
  role: (member, { members, optionsOf, actions }) => (
    <MemberRole
      member={member}
      options={optionsOf(member)}
      actions={actions}
      isOnlyOwner={isOnlyOwner(member, members)}
    />
  ),
  seen: (member, { personId }) => <LastSeen member={member} isSelf={member.id === personId} />,
  factor: (member, context) => (
    <MemberFactors
      factors={member.second_factor}
      requiredFrom={context.factorRequiredFrom}
      remind={
        mayBeReminded(member, context) && (
          <Button
            size="small"
            variant="ghost"
            icon={<Mail />}
            className="-ml-2"
            onClick={() => context.actions.onRemind(member)}
          >
            Remind<span className="sr-only"> {member.name} to set up a second factor</span>
          </Button>
        )
      }
    />
  ),
  actions: (member, context) => (
    <span className="-my-1 block text-right">
      <Actions member={member} context={context} />
    </span>
  ),
};

function mayBeReminded(member: Member, { mayRemind, personId, factorRequiredFrom }: Context) {
  return (
    factorRequiredFrom !== null &&
    describeFactors(member.second_factor) === null &&
    member.id !== personId &&
    mayRemind
  );
}

type ActionsProps = { member: Member; context: Context };

function Actions({ member, context }: ActionsProps) {
  const { actions, mayReadAuditLog } = context;
  const options = context.optionsOf(member);
  const trigger = useRef<HTMLButtonElement>(null);
  const { roles, mayRemove, mayLeave } = options;
  const isRemindable = mayBeReminded(member, context);
  if (roles.length === 0 && !mayReadAuditLog && !isRemindable && !mayRemove && !mayLeave)
    return null;
  return (
    <Menu label={`Actions for ${member.name}`} triggerRef={trigger}>
      {roles.length > 0 && (
        <>
          <RoleChoice member={member} options={options} actions={actions} opener={trigger} />
          <MenuSeparator />
        </>
      )}
      {isRemindable && (
        <MenuItem icon={<Mail />} onSelect={() => actions.onRemind(member)}>
          Remind to set up a second factor
        </MenuItem>
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

type LastSeenProps = {
  member: Member;
  /** Whether the member is the person who is signed in. */
  isSelf: boolean;
};

/** When and with which browser a member used the dashboard in this account last. */
function LastSeen({ member, isSelf }: LastSeenProps) {
  const { last_seen_at: seenAt, last_seen_user_agent: userAgent, added_at: addedAt } = member;
  if (seenAt === null) {
    return (
      <>
        <span className="text-ink-3">Not seen yet</span>
        <SecondLine className="max-sm:hidden">
          Added <ExactTime form="day" value={addedAt} />
        </SecondLine>
      </>
    );
  }
  return (
    <>
      {isSelf ? 'Now' : <RelativeTime value={seenAt} />}
      <SecondLine className="max-sm:hidden">{describeUserAgent(userAgent)}</SecondLine>
    </>
  );
}
