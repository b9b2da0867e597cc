'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useTransition } from 'react';

import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { chooseAccount } from '#lib/actions/session.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { sessionQuery } from '#lib/queries/session.ts';

import { ErrorPanel } from './error-panel.tsx';
import { hearOtherTabs, tellOtherTabs } from './other-tabs.ts';
import { isLeft, useAct } from './use-act.ts';

/**
 * Tabs share one session. When another tab signed somebody else in, or chose another account, what
 * is done here would be done there: the page is held until somebody says where to go on.
 */
export function MovedOn({ session }: { session: Session }) {
  const [renderedAt] = useState(() => Date.now());
  const { data: current, refetch } = useQuery({
    ...sessionQuery(session),
    initialData: session,
    initialDataUpdatedAt: renderedAt,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  });
  const ask = useEffectEvent(() => void refetch());
  useEffect(() => hearOtherTabs(() => ask()), []);

  if (current.person.id !== session.person.id) return <SomeoneElse now={current} />;
  if (current.account.id !== session.account.id)
    return <OtherAccount page={session} now={current} />;
  return null;
}

function SomeoneElse({ now }: { now: Session }) {
  return (
    <Dialog
      open
      onClose={() => undefined}
      role="alertdialog"
      size="narrow"
      hasCloseButton={false}
      title={`${now.person.name} is signed in now`}
      sentence="Somebody else signed in in another tab. This page was made for the person before."
      footer={
        <Button variant="primary" onClick={goOn}>
          Go on as {now.person.name}
        </Button>
      }
    />
  );
}

function OtherAccount({ page, now }: { page: Session; now: Session }) {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [isPending, startTransition] = useTransition();
  const queryClient = useQueryClient();
  const act = useAct();

  function comeBack() {
    setFailure(null);
    startTransition(async () => {
      const result = await act(() => chooseAccount(page.account.id));
      if (!result.ok) {
        if (!isLeft(result)) setFailure(result);
        return;
      }
      tellOtherTabs();
      await queryClient.invalidateQueries();
    });
  }

  return (
    <Dialog
      open
      onClose={() => undefined}
      role="alertdialog"
      size="narrow"
      hasCloseButton={false}
      title={`You work in ${now.account.name} now`}
      sentence={`You chose it in another tab. This page shows ${page.account.name}.`}
      footer={
        <>
          <Button onClick={goOn}>Go to {now.account.name}</Button>
          <Button variant="primary" pending={isPending} onClick={comeBack}>
            Back to {page.account.name}
          </Button>
        </>
      }
    >
      {failure ? (
        <ErrorPanel title="The account was not changed" message={failure.message} />
      ) : undefined}
    </Dialog>
  );
}

function goOn() {
  window.location.assign('/settings/api-keys');
}
