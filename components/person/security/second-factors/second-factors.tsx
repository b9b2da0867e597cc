'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { FactorDialogProps, ShownFactorDialog } from './actions/factor-dialog.tsx';
import { Passkeys } from './passkeys.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { SecondFactors } from '#lib/contract/people/second-factors.ts';
import { Status } from '#components/ui/data-display/status.tsx';

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

type AuthenticatorAppProps = {
  app: SecondFactors['app'];
  onOpen: (dialog: ShownFactorDialog) => void;
};

function AuthenticatorApp({ app, onOpen }: AuthenticatorAppProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Section title="Authenticator app">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">{app ? 'Set up' : 'Not set up'}</p>
          <p className="text-small text-pretty text-ink-3">
            {app ? (
              <>
                Added <ExactTime form="day" value={app.created_at} />
                {app.last_used_at !== null && (
                  <>
                    {' · '}Last used <RelativeTime isMidSentence value={app.last_used_at} />
                  </>
                )}
              </>
            ) : (
              'An app on your phone that shows a new 6-digit code every 30 seconds.'
            )}
          </p>
        </div>
        {app ? (
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'remove-app', opener: button.current })}
          >
            Remove app
          </Button>
        ) : (
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'set-up-app', opener: button.current })}
          >
            Set up app
          </Button>
        )}
      </div>
    </Section>
  );
}

type FactorStatusProps = {
  /** Undefined: they are not read yet. */
  factors: SecondFactors | undefined;
  session: Pick<Session, 'account' | 'lacks_second_factor'>;
};

/** Whether a second factor is on, and whether the account requires one. */
function FactorStatus({ factors, session }: FactorStatusProps) {
  const { name, second_factor_required_from: requiredFrom } = session.account;
  const isOn = factors !== undefined && (factors.app !== null || factors.passkeys.length > 0);
  return (
    <div className="flex min-h-6 flex-wrap items-baseline gap-x-5 gap-y-1">
      {factors !== undefined && (
        <Status mark={isOn ? 'ok' : requiredFrom === null ? 'ended' : 'warning'}>
          {isOn ? 'Second factor is on' : 'Second factor is off'}
        </Status>
      )}
      {requiredFrom !== null && (
        <span className="text-pretty text-ink-3">
          {session.lacks_second_factor && !isOn ? (
            `${name} requires one. Add a passkey or an authenticator app to continue.`
          ) : (
            <>
              {name} requires one from <ExactTime form="day" value={requiredFrom} />
            </>
          )}
        </span>
      )}
      {factors !== undefined && !isOn && requiredFrom === null && (
        <span className="text-pretty text-ink-3">
          With a second factor, nobody can sign in with your password alone. Adding your first one
          signs you out everywhere else.
        </span>
      )}
    </div>
  );
}

type RecoveryCodesProps = {
  codes: SecondFactors['recovery_codes'];
  onOpen: (dialog: ShownFactorDialog) => void;
};

/** How many recovery codes are left. */
function RecoveryCodes({ codes, onOpen }: RecoveryCodesProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Section title="Recovery codes">
      {codes === null ? (
        <p className="text-pretty text-ink-3">
          You get 10 of them with your first second factor, in case you lose it.
        </p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-3">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">
              {codes.left} of {codes.total} codes left
            </p>
            <p className="text-small text-pretty text-ink-3">
              Created <ExactTime form="day" value={codes.created_at} />. Each signs you in once if
              you lose your devices.
            </p>
          </div>
          <Button
            ref={button}
            size="small"
            className="max-sm:w-full"
            onClick={() => onOpen({ kind: 'create-codes', opener: button.current })}
          >
            Create new codes
          </Button>
        </div>
      )}
    </Section>
  );
}
