'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import {
  codeError,
  FactorInput,
  givenCode,
} from '#components/shell/identity/second-factor/factor-input.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { confirmApp, startApp } from '#lib/actions/people/person.ts';

import { adviceIfLost } from './advice-if-lost.ts';
import { AppKey, AppKeySkeleton } from './app-key.tsx';
import { useCodesGuard } from './use-codes-guard.ts';

type SetUpAppProps = {
  /** The first second factor brings recovery codes. */
  isFirst: boolean;
  finalFocus: FocusTarget;
  onClose: () => void;
  onAdded: (codes: readonly string[] | null, message: string) => void;
};

type Key = { key: string; uri: string };

/** The dialog to set up an authenticator app: its key as QR code and text, and a first code. */
export function SetUpApp({ isFirst, finalFocus, onClose, onAdded }: SetUpAppProps) {
  const [appKey, setAppKey] = useState<Key | null>(null);
  const runAction = useRunAction();
  const guardCodes = useCodesGuard(isFirst);
  const { run, ...starting } = useAction();
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => {
      const error = codeError('app', code);
      return error === null ? {} : { code: error };
    },
    send: ({ code }) =>
      runAction(() =>
        guardCodes(() => confirmApp({ body: { code: '', ...givenCode('app', code) } })),
      ),
    onDone: ({ data }) => onAdded(data.recovery_codes, 'The authenticator app is on.'),
  });
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (appKey) codeField.current?.focus();
  }, [appKey]);
  const [isCancelled, setIsCancelled] = useState(false);
  const start = () =>
    run(startApp, {
      onDone: ({ data }) => setAppKey(data),
      onCancelled: () => setIsCancelled(true),
    });
  const startAtOnce = useEffectEvent(start);
  useEffect(() => startAtOnce(), []);
  function startAgain() {
    setIsCancelled(false);
    start();
  }
  const hasEnded = isCancelled || starting.failure !== null || starting.deadline !== null;
  const isPreparing = appKey === null && (starting.isPending || !hasEnded);

  return (
    <FormDialog
      title="Set up authenticator app"
      sentence="Any app for one-time codes works, such as the one of your password manager."
      form={appKey ? form : { ...starting, isPending: isPreparing, onConfirm: startAgain }}
      buttons={{
        confirm: appKey || isPreparing ? 'Turn on app' : isCancelled ? 'Continue' : 'Try again',
      }}
      failure={appKey ? { adviceIfUnknown: adviceIfLost('app', isFirst) } : {}}
      // The key may have been scanned already, and is valid only until the dialog closes.
      typed="code"
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {isPreparing && <AppKeySkeleton />}
      {isCancelled && <p className="text-ink-2">Confirm it is you to see the code.</p>}
      {appKey && (
        <>
          <AppKey uri={appKey.uri} value={appKey.key} />
          <FactorInput
            ref={codeField}
            kind="app"
            value={form.values.code}
            error={form.errors.code}
            onChange={(code) => form.change({ code })}
          />
        </>
      )}
    </FormDialog>
  );
}
