import { useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { revokeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { revocationFacts, wasUsedRecently } from './revocation-facts.tsx';

type RevokeApiKeyProps = DialogClosing & {
  apiKey: ApiKey;
  /** Whether its token may have leaked, which is the reason at first. */
  isLeaked?: boolean;
  now: Date;
  onRevoked: () => void;
};

/** Confirms a revocation. If the key was used recently, its name must be typed. */
export function RevokeApiKey({
  apiKey,
  isLeaked = false,
  now,
  onRevoked,
  ...dialog
}: RevokeApiKeyProps) {
  const [reason, setReason] = useState(isLeaked ? leaked : '');
  // Decided when the dialog opens: the field must not appear or disappear while someone types.
  const [isInUse] = useState(() => wasUsedRecently(apiKey, now));
  const { run, ...action } = useAction();
  const toast = useToast();
  const reasonError = action.failure?.details?.['reason']?.join(' ');

  function finish() {
    toast(`${apiKey.name} revoked`);
    onRevoked();
  }

  function revoke() {
    const body = reason.trim() === '' ? {} : { reason };
    run(() => revokeApiKey({ params: { apiKey: apiKey.uuid }, body }), {
      onDone: finish,
      onNotFound: onRevoked,
    });
  }

  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      sentence={`Calls with this key are rejected with 401 immediately. This cannot be undone.${apiKey.status === 'paused' ? '' : ' To find out first who still needs it, pause it instead.'}`}
      action={reasonError === undefined ? action : { ...action, failure: null }}
      buttons={{ tone: 'danger' }}
      typedName={isInUse ? apiKey.name : undefined}
      failure={{ adviceIfUnknown: 'The key may have been revoked. Revoking again is safe.' }}
      onConfirm={revoke}
      {...dialog}
    >
      <Facts facts={revocationFacts(apiKey, now)} />
      <RevocationReason value={reason} onChange={setReason} error={reasonError} />
    </ConfirmDialog>
  );
}

type RevocationReasonProps = {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

function RevocationReason({ value, onChange, error }: RevocationReasonProps) {
  return (
    <div>
      <Field
        label="Reason"
        optional
        help="Your team sees it next to the key and in the audit log."
        error={error}
      >
        <Input
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div role="group" aria-label="Common reasons" className="mt-2 flex flex-wrap gap-1.5">
        {commonReasons.map((reason) => (
          <Button
            key={reason}
            size="small"
            aria-pressed={value === reason}
            className="aria-pressed:bg-fill-active"
            onClick={() => onChange(reason)}
          >
            {reason}
          </Button>
        ))}
      </div>
    </div>
  );
}

const maxLength = 200;

const leaked = 'Leaked';

const commonReasons = [leaked, 'No longer used', 'Replaced'];
