'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { FactorStatus } from './factor-status.tsx';
import type { FactorDialogProps, ShownFactorDialog } from './actions/factor-dialog.tsx';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The person's second factors: passkeys, authenticator app, recovery codes. */
export function SecondFactors({ session }: { session: Session }) {
  const query = routeQuery(session, 'getSecondFactors');
  const read = useQuery({ ...query, refetchInterval: pageRefetchInterval });
  const { data: factors } = read;
  const queryClient = useQueryClient();
  const [shownDialog, setShownDialog] = useState<ShownFactorDialog | null>(null);
  const [message, setMessage] = useState('');
  const top = useRef<HTMLDivElement>(null);

  function refetchFactors() {
    void queryClient.invalidateQueries({ queryKey: query.queryKey });
    void queryClient.invalidateQueries({ queryKey: routeQuery(session, 'getSession').queryKey });
    // The first one ends all other sessions.
    void queryClient.invalidateQueries({ queryKey: routeQuery(session, 'listSessions').queryKey });
  }

  /** The action may have removed the pressed button, so a heading takes the focus. */
  function onDone(text: string) {
    setShownDialog(null);
    setMessage(text);
    top.current?.querySelector('h2')?.focus();
    refetchFactors();
  }

  function open(dialog: ShownFactorDialog) {
    setMessage('');
    setShownDialog(dialog);
  }

  return (
    <div ref={top} className="grid gap-10 max-sm:gap-8">
      <Section title="Second factor">
        <ReadFailure
          what="Your second factors"
          shown="them"
          noun="your second factors"
          read={read}
        />
        <FactorStatus factors={factors} session={session} />
        <span role="status" className="text-small text-ink-2 empty:hidden">
          {message}
        </span>
      </Section>
      {factors && (
        <>
          <Passkeys factors={factors} onOpen={open} />
          <AuthenticatorApp app={factors.app} onOpen={open} />
          <RecoveryCodes codes={factors.recovery_codes} onOpen={open} />
        </>
      )}
      <LazyFactorDialog
        shouldLoad={shownDialog !== null}
        shownDialog={shownDialog}
        oldCodes={factors?.recovery_codes?.left ?? 0}
        factorCount={(factors?.passkeys.length ?? 0) + (factors?.app ? 1 : 0)}
        onOpen={setShownDialog}
        onClose={() => setShownDialog(null)}
        onDone={onDone}
      />
    </div>
  );
}

type LazyFactorDialogProps = Omit<FactorDialogProps, 'shownDialog'> & {
  shownDialog: FactorDialogProps['shownDialog'] | null;
};

/** The dialog about second factors that is open, loaded after the page. */
const LazyFactorDialog = lazyComponent<LazyFactorDialogProps>(async () => {
  const { FactorDialog } = await import('./actions/factor-dialog.tsx');
  return ({ shownDialog, ...props }) =>
    shownDialog && <FactorDialog key={shownDialog.kind} shownDialog={shownDialog} {...props} />;
});
