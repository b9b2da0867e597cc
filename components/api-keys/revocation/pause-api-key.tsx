import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { pauseApiKey, resumeApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { LastUse } from '../last-use.tsx';
import { keyLastUse } from '../token-last-use.ts';

type PauseApiKeyProps = DialogClosing & {
  apiKey: ApiKey;
  /** The other way around: whether the paused key is resumed. */
  isResumed: boolean;
  onChanged: () => void;
};

export function PauseApiKey({ apiKey, isResumed, onChanged, ...dialog }: PauseApiKeyProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const input = { params: { apiKey: apiKey.uuid }, body: {} };

  function finish() {
    toast(`${apiKey.name} is ${isResumed ? 'active' : 'paused'}`);
    onChanged();
  }

  return (
    <ConfirmDialog
      title={`${isResumed ? 'Resume' : 'Pause'} ${apiKey.name}`}
      sentence={
        isResumed
          ? 'Calls with its valid tokens are accepted again immediately.'
          : 'Calls with this key are rejected with 401 until someone resumes it. Its tokens, settings and end dates do not change.'
      }
      action={action}
      buttons={{ tone: 'primary' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => (isResumed ? resumeApiKey(input) : pauseApiKey(input)), {
          onDone: finish,
          onNotFound: onChanged,
        })
      }
      {...dialog}
    >
      <Facts
        facts={[
          ...(apiKey.paused_at === null
            ? []
            : [{ label: 'Paused', value: <ExactTime value={apiKey.paused_at} /> }]),
          { label: 'Last used', value: <LastUse {...keyLastUse(apiKey)} /> },
        ]}
      />
    </ConfirmDialog>
  );
}
