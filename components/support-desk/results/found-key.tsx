import { KeyRound, MessageSquareText, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type ApiKeyState,
  apiKeyStateLabels,
  apiKeyStateMarks,
  foundKeyState,
} from '#components/shell/states/api-key-state.ts';
import { Code } from '#components/ui/data-display/code.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import { accountPath } from '#lib/paths/account-path.ts';
import { lastFourIn } from '#lib/contract/support-desk/pasted-text.ts';
import type { FoundKey, FoundKeyDetails } from '#lib/contract/support-desk/support-desk.ts';
import { formatRemaining } from '#lib/time.ts';
import { type DeskResult, LastUse, OpenLink } from './desk-table.tsx';
import { Highlighted } from './highlighted.tsx';

/** A key with its state, its last use, its expiry, and what the person can do with it. */
export function keyResult(found: FoundKey, search: string): DeskResult {
  const { account, name, details, uuid } = found;
  const result = {
    key: uuid,
    account,
    name,
    path: foundKeyPath(found),
    search,
    icon: <KeyRound />,
  };
  if (details === null) return result;
  const isEnded = details.status === 'revoked' || details.status === 'expired';
  return {
    ...result,
    isEnded,
    second: (
      <>
        <Code isSmall className="whitespace-nowrap">
          sk_live_…
          <Highlighted
            text={details.older_last_four ?? details.last_four}
            search={lastFourIn(search) ?? search}
          />
        </Code>
        {details.older_last_four !== null && ' · older token'}
      </>
    ),
    state: <KeyStatus details={details} />,
    lastUse: (
      <>
        <LastUse value={details.last_used_at} />
        {details.last_used_ip !== null && (
          <SecondLine mono className="max-sm:hidden">
            {details.last_used_ip}
          </SecondLine>
        )}
      </>
    ),
    expires:
      details.expires_at === null ? (
        <span className="text-ink-3">{isEnded ? 'Ended' : 'Never'}</span>
      ) : (
        <ExactTime form="day" value={details.expires_at} />
      ),
    hasOtherAction: details.may !== 'nothing',
    action: <KeyAction found={found} details={details} />,
  };
}

/** In the words of the list of keys, with a second line that fits in this table. */
function KeyStatus({ details }: { details: FoundKeyDetails }) {
  const now = useEstimatedNow();
  const state = foundKeyState(details, now);
  const sub = subOf(details, state);
  return (
    <Status mark={apiKeyStateMarks[state]} {...(sub !== null && { sub })}>
      {state === 'expiring' && details.expires_at !== null
        ? `Expires in ${formatRemaining(new Date(details.expires_at), now)}`
        : apiKeyStateLabels[state]}
    </Status>
  );
}

function subOf(details: FoundKeyDetails, state: ApiKeyState): ReactNode {
  switch (state) {
    case 'unconfirmed':
      return details.unconfirmed?.was_shown ? 'Not confirmed' : 'Never shown';
    case 'rotating':
      return (
        details.rotating_until && (
          <>
            Until <ExactTime form="short" value={details.rotating_until} />
          </>
        )
      );
    case 'revoked':
      return (
        details.revoked_at && (
          <>
            <ExactTime form="day" value={details.revoked_at} />
            {details.revoked_by !== null && (
              <span className="max-sm:hidden">, by {details.revoked_by}</span>
            )}
          </>
        )
      );
    case 'active':
    case 'paused':
    case 'expiring':
    case 'expired':
      return null;
  }
}

function KeyAction({ found, details }: { found: FoundKey; details: FoundKeyDetails }) {
  const path = foundKeyPath(found);
  switch (details.may) {
    case 'rotate':
      return (
        <OpenLink href={`${path}?act=rotate`} of={found.name} icon={<RotateCw />}>
          Rotate
        </OpenLink>
      );
    case 'request':
      if (details.open_request !== null)
        return <OpenRequest found={found} {...details.open_request} />;
      return (
        <ActionWithNote note="You cannot see its token">
          <OpenLink href={`${path}?act=rotate`} of={found.name} icon={<MessageSquareText />}>
            Request rotation
          </OpenLink>
        </ActionWithNote>
      );
    case 'nothing':
      return <OpenLink href={path} of={found.name} />;
  }
}

/** Another request would be refused, so this leads to the open one, or to the key. */
function OpenRequest({ found, uuid }: { found: FoundKey; uuid: string | null }) {
  return (
    <ActionWithNote note="Rotation was requested">
      {uuid === null ? (
        <OpenLink href={foundKeyPath(found)} of={found.name} />
      ) : (
        <OpenLink
          href={accountPath(found.account.id, `settings/rotation-requests/${uuid}`)}
          of={`for ${found.name}`}
        >
          Open request
        </OpenLink>
      )}
    </ActionWithNote>
  );
}

/** The note is below the link, and on a phone at the other end of its line. */
function ActionWithNote({ note, children }: { note: string; children: ReactNode }) {
  return (
    <span className="block max-sm:flex max-sm:items-center max-sm:justify-between max-sm:gap-4">
      {children}
      <SecondLine className="max-sm:order-first max-sm:mt-0">{note}</SecondLine>
    </span>
  );
}

/** The page of a key, in the frame of its account. */
export function foundKeyPath({ account, uuid }: Pick<FoundKey, 'account' | 'uuid'>): string {
  return accountPath(account.id, `settings/api-keys/${uuid}`);
}
