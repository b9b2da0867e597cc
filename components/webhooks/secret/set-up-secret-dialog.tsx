import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import type { WebhookSetUp } from './use-webhook-set-up.ts';

type SetUpSecretDialogProps = { setUp: WebhookSetUp; finalFocus: FocusTarget };

/** Shows the secret of a webhook during its set-up. */
export function SetUpSecretDialog({ setUp, finalFocus }: SetUpSecretDialogProps) {
  const { stage } = setUp;
  if (stage.name !== 'revealed') return null;
  const { webhook, secret } = stage;
  return (
    <NewSecretDialog
      webhook={webhook}
      secret={secret}
      closeWarning="The webhook stays inactive; “Finish set-up” creates another."
      onClosed={(isSaved) => void setUp.finish(webhook, isSaved)}
      finalFocus={finalFocus}
    />
  );
}
