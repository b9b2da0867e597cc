import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { encode } from 'uqr';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import {
  codeError,
  FactorInput,
  givenCode,
} from '#components/shell/identity/second-factor/factor-input.tsx';
import {
  recorderAttributes,
  recorderClass,
} from '#components/shell/one-time-secret/secret-attributes.ts';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { confirmApp, startApp } from '#lib/actions/people/person.ts';
import { cn } from '#lib/class-names/cn.ts';
import { adviceIfLost, useCodesGuard } from './use-codes-guard.ts';

type SetUpAppProps = DialogClosing & {
  /** The first second factor brings recovery codes. */
  isFirst: boolean;
  onAdded: (codes: readonly string[] | null, message: string) => void;
};

type Key = { key: string; uri: string };

/** The dialog to set up an authenticator app: its key as QR code and text, and a first code. */
export function SetUpApp({ isFirst, onAdded, ...dialog }: SetUpAppProps) {
  const [appKey, setAppKey] = useState<Key | null>(null);
  const guardCodes = useCodesGuard(isFirst);
  const { run, ...starting } = useAction();
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => {
      const error = codeError('app', code);
      return error === null ? {} : { code: error };
    },
    send: ({ code }) =>
      guardCodes(() => confirmApp({ body: { code: '', ...givenCode('app', code) } })),
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
      sentence="Any app for one-time codes works, such as your password manager."
      form={appKey ? form : { ...starting, isPending: isPreparing, onConfirm: startAgain }}
      buttons={{
        confirm: appKey || isPreparing ? 'Turn on app' : isCancelled ? 'Continue' : 'Try again',
      }}
      failure={appKey ? { adviceIfUnknown: adviceIfLost('app', isFirst) } : {}}
      // The key may have been scanned already, and is valid only until the dialog closes.
      typed="code"
      {...dialog}
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

/** The key of an authenticator app, to scan or to type. @param uri the content of the QR code */
function AppKey({ uri, value }: { uri: string; value: string }) {
  const groups = value.match(/.{1,4}/g) ?? [];
  return (
    <div
      {...recorderAttributes}
      className={cn(
        'grid grid-cols-[auto_minmax(0,1fr)] items-center gap-5 max-sm:grid-cols-1',
        recorderClass,
      )}
    >
      <QrCode text={uri} />
      <div className="min-w-0">
        <p className="text-pretty">
          <strong className="font-medium">Scan the code</strong> with your authenticator app, or
          enter this key in the app:
        </p>
        <p className="mt-2 flex items-start gap-1">
          <code translate="no" className="min-w-0 pt-1 font-mono text-code wrap-anywhere">
            {groups.join(' ')}
          </code>
          <CopyButton text={value} label="Copy key" />
        </p>
      </div>
    </div>
  );
}

/** Shown in place of the key and the field for the code while the key is being created. */
function AppKeySkeleton() {
  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-5 max-sm:grid-cols-1">
        <span
          aria-hidden
          className="size-40 shrink-0 animate-reveal rounded-2 bg-fill-track max-sm:mx-auto forced-colors:bg-[GrayText]"
        />
        <p role="status" className="text-ink-2 max-sm:text-center">
          Preparing a code…
        </p>
      </div>
      <div aria-hidden>
        <Skeleton width={40} />
        <span className="mt-1.5 mb-2 block h-control animate-reveal rounded-3 bg-fill-track forced-colors:bg-[GrayText]" />
        <Skeleton width={280} />
      </div>
    </>
  );
}

/** Dark on light in both themes: many scanners read nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-2 border border-line max-sm:mx-auto"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
