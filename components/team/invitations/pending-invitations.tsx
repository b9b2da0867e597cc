import { Link, Send, X } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Status, type StatusMark } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { formatRemaining } from '#lib/time.ts';
import { columnWidths } from '../column-widths.ts';
import { findRenewal, type InvitationState, invitationState } from '../invitation-options.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { InvitationActions } from './use-invitation-actions.ts';

type PendingInvitationsProps = {
  invitations: readonly Invitation[];
  session: Session;
  actions: InvitationActions;
};

/** The invitations that nobody has accepted yet. */
export function PendingInvitations({ invitations, session, actions }: PendingInvitationsProps) {
  const now = useNow();
  return (
    <Section
      title={
        <>
          Pending invitations{' '}
          <span className="ml-1 font-normal text-ink-3">{invitations.length}</span>
        </>
      }
    >
      <ul className="border-t border-line">
        {invitations.map((invitation) => (
          <InvitationItem
            key={invitation.uuid}
            invitation={invitation}
            session={session}
            actions={actions}
            now={now}
          />
        ))}
      </ul>
    </Section>
  );
}

type InvitationItemProps = Omit<PendingInvitationsProps, 'invitations'> & {
  invitation: Invitation;
  now: Date | null;
};

function InvitationItem({ invitation, session, actions, now }: InvitationItemProps) {
  const { email, role, invited_by: inviter, created_at: createdAt } = invitation;
  const state = invitationState(invitation, now);
  const renewal = findRenewal(invitation, { role: session.role, now });
  const by = inviter.id === session.person.id ? 'you' : inviter.name;
  const { label } = roleTable[role];

  return (
    <li
      style={{ '--columns': columns } as CSSProperties}
      className="grid grid-cols-[minmax(0,1fr)] gap-y-2 border-b border-line py-2.5 sm:grid-cols-(--columns) sm:items-start"
    >
      <div className="min-w-0 sm:pr-4">
        <p
          className={cn(
            'font-medium wrap-anywhere',
            state === 'expired' ? 'text-ink-3' : 'text-ink',
          )}
        >
          {email}
        </p>
        <p className="mt-0.5 text-micro text-ink-3">
          <span className="sm:hidden">{label}, invited by </span>
          <span className="max-sm:hidden">Invited by </span>
          {by}, <ExactTime form="day" value={createdAt} />
        </p>
      </div>
      <p className={cn('max-sm:hidden sm:pr-4', state === 'expired' && 'text-ink-3')}>{label}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:items-start">
        <Expiry invitation={invitation} state={state} now={now} />
        <div className="flex items-center gap-2 max-sm:w-full sm:-my-0.5">
          {renewal !== null && (
            <Button
              size="small"
              icon={renewal === 'New link' ? <Link /> : <Send />}
              className="max-sm:h-11 max-sm:flex-1"
              onClick={({ currentTarget }) => actions.onRenew(invitation, renewal, currentTarget)}
            >
              {renewal}
              <span className="sr-only"> for {email}</span>
            </Button>
          )}
          <IconButton
            label={`Revoke invitation for ${email}`}
            icon={<X />}
            className="max-sm:size-11"
            onClick={({ currentTarget }) => actions.onRevoke(invitation, currentTarget)}
          />
        </div>
      </div>
    </li>
  );
}

const { member, role: roleWidth, ...others } = columnWidths;
const rest = Object.values(others).reduce((sum, width) => sum + width, 0);

/** The columns of the table of members, whose last columns are one column here. */
const columns = [member, roleWidth, rest].map((width) => `minmax(0, ${width}fr)`).join(' ');

type ExpiryProps = { invitation: Invitation; state: InvitationState; now: Date | null };

function Expiry({ invitation, state, now }: ExpiryProps) {
  const { expires_at: expiresAt } = invitation;
  return (
    <Status
      mark={marks[state]}
      {...(state === 'open' && { tone: 'ink' })}
      sub={<ExactTime value={expiresAt} />}
    >
      {describeExpiry(state, now === null ? null : formatRemaining(new Date(expiresAt), now))}
    </Status>
  );
}

/** @param remaining null until the clock of the browser is known */
function describeExpiry(state: InvitationState, remaining: string | null): string {
  if (state === 'expired') return 'Expired';
  return remaining === null ? 'Expires' : `Expires in ${remaining}`;
}

const marks: Record<InvitationState, StatusMark> = {
  open: 'open',
  'ends-soon': 'expiring',
  expired: 'ended',
};
