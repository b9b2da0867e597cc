'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import { endToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { LastUse } from '../last-use.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { tokenLastUse, knownUseOf } from '../token-last-use.ts';

type EndTokenProps = {
  /** As read last. */
  apiKey: ApiKey;
  token: OlderToken;
  now: Date;
  finalFocus: FocusTarget;
  onClose: () => void;
  onEnded: () => void;
};

/** Asks for confirmation before an older token is ended before its grace period is over. */
export function EndToken({ apiKey, token, now, finalFocus, onClose, onEnded }: EndTokenProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const use = knownUseOf([token], { newest: apiKey.tokens[0], now });

  function finish() {
    toast(`Token …${token.last_four} ended`);
    onEnded();
  }

  return (
    <ConfirmDialog
      title={`End token …${token.last_four}`}
      sentence={
        <>
          Calls with this token are rejected with 401 immediately.{' '}
          <MaskedToken lastFour={apiKey.last_four} />, the newest token of {apiKey.name}, keeps
          working.
        </>
      }
      action={action}
      buttons={{ tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => endToken({ params: { apiKey: apiKey.uuid, token: String(token.id) } }), {
          onDone: finish,
          onNotFound: onEnded,
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts
        facts={[
          { label: 'Last used', value: <LastUse {...tokenLastUse(token)} /> },
          { label: 'Replaced', value: <ExactTime value={token.replaced_at} /> },
          { label: 'Ends by itself', value: <ExactTime value={token.valid_until} /> },
        ]}
      />
      {use.kind === 'used' && (
        <Note>
          <strong>It was used after it was replaced.</strong> Whatever still uses it stops working.
        </Note>
      )}
      {use.kind === 'watching' && (
        <Note>
          <strong>It was replaced less than two minutes ago.</strong> Whatever uses it may not have
          made a call since.
        </Note>
      )}
      {use.kind === 'new_unused' && (
        <Note>
          <strong>No successful call was made with the new token yet.</strong> Whatever still uses
          the old one stops working.
        </Note>
      )}
    </ConfirmDialog>
  );
}
