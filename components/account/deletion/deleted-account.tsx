'use client';

import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import { restoreAccount } from '#lib/actions/people/account.ts';
import { accountPath } from '#lib/paths/account-path.ts';
import { formatRemaining } from '#lib/time.ts';

type DeletedAccountProps = { account: { id: string; name: string }; erasedAt: string };

/** The only page that owners can open in an account that is being deleted. */
export function DeletedAccount({ account, erasedAt }: DeletedAccountProps) {
  const { run, ...action } = useAction();
  const [isDone, setIsDone] = useState(false);
  const now = useEstimatedNow();

  function restore() {
    run(restoreAccount, {
      onDone() {
        setIsDone(true);
        // A full page load, so that no earlier data stays in memory.
        window.location.assign(accountPath(account.id, 'settings/account'));
      },
    });
  }

  return (
    <>
      <PageHeading
        title={`${account.name} is being deleted`}
        sentence="Its API keys do not work, nothing is sent to its webhooks, and only owners can open it."
      />
      <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-6">
        <Facts
          className="gap-y-2.5"
          facts={[
            {
              label: 'Can be restored until',
              value: (
                <>
                  <ExactTime form="seconds" value={erasedAt} className="whitespace-normal" />
                  <span className="text-ink-3" suppressHydrationWarning>
                    {' '}
                    · {formatRemaining(new Date(erasedAt), now)} left
                  </span>
                </>
              ),
            },
            { label: 'After that', value: 'Its data is erased and cannot be recovered' },
            {
              label: 'If restored',
              value:
                'Keys work again and pending deliveries are sent. Calls that were refused in the meantime are not repeated.',
            },
          ]}
        />
        <ActionProblem
          action={action}
          notDone="The account was not restored"
          unknown="We could not confirm whether the account was restored"
          adviceIfUnknown="Restoring again is safe."
        />
        <div>
          <ActionButton
            variant="primary"
            className="max-sm:w-full"
            action={{ ...action, isPending: action.isPending || isDone }}
            onClick={restore}
          >
            Restore account
          </ActionButton>
        </div>
      </div>
    </>
  );
}
