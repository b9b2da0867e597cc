'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import { undoRotation } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { LastUse } from '../../last-use.tsx';
import { MaskedToken } from '../../masked-token.tsx';
import { tokenLastUse } from '../../token-last-use.ts';

type UndoRotationProps = {
  apiKey: ApiKey;
  /** The token that is the newest again. */
  restored: OlderToken;
  finalFocus: FocusTarget;
  /** Called when the key must be read again. */
  onStale: () => void;
  onClose: () => void;
  onUndone: () => void;
};

/** Asks for confirmation before a rotation whose token is unconfirmed is undone. */
export function UndoRotation(props: UndoRotationProps) {
  const { apiKey, restored, finalFocus, onStale, onClose, onUndone } = props;
  const { run, ...action } = useAction();
  const toast = useToast();
  const old = <MaskedToken lastFour={restored.last_four} form="short" />;
  function finish() {
    toast(`Rotation of ${apiKey.name} undone`);
    onUndone();
  }

  return (
    <ConfirmDialog
      title={`Undo rotation of ${apiKey.name}`}
      sentence={
        <>
          <MaskedToken lastFour={apiKey.last_four} form="short" /> stops working immediately. {old}{' '}
          becomes the newest token again: it no longer ends on{' '}
          <ExactTime value={restored.valid_until} />, but works as long as the key does. If a member
          requested this rotation, the request stays closed.
        </>
      }
      action={action}
      buttons={{ confirm: 'Undo rotation' }}
      failure={{ adviceIfUnknown: 'The rotation may have been undone. Trying again is safe.' }}
      onConfirm={() =>
        run(
          () =>
            undoRotation({
              params: { apiKey: apiKey.uuid },
              body: { expected_last_four: apiKey.last_four },
            }),
          {
            onDone: finish,
            onNotFound: onUndone,
            onFailure: (failure, show) => {
              show(failure);
              onStale();
            },
          },
        )
      }
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts
        facts={[
          {
            label: `…${restored.last_four} last used`,
            value: <LastUse {...tokenLastUse(restored)} />,
          },
        ]}
      />
    </ConfirmDialog>
  );
}
