import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type DialogClosing, FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { extendToken } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { dayMs } from '#lib/durations.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatApiTime } from '#lib/time.ts';

type ExtendTokenProps = DialogClosing & {
  accountId: string;
  apiKey: ApiKey;
  token: OlderToken;
  onExtended: () => void;
};

const choices = { day: '1 day longer', week: '7 days longer', latest: 'As long as possible' };

type Choice = keyof typeof choices;

/** The dialog that extends the time of an old token, up to 30 days after its rotation. */
export function ExtendToken({ accountId, apiKey, token, onExtended, ...dialog }: ExtendTokenProps) {
  const { run, ...action } = useAction();
  const toast = useToast();
  const [choice, setChoice] = useState<Choice>('day');
  const { data } = useQuery({
    ...routeQuery(accountId, 'listTokenUse', { params: { apiKey: apiKey.uuid } }),
  });
  const latest = data?.find(({ id }) => id === token.id)?.extendable_until ?? null;
  const end = endOf(choice, { present: token.valid_until, latest });

  function extend() {
    if (end === null) return;
    run(
      () =>
        extendToken({
          params: { apiKey: apiKey.uuid, token: String(token.id) },
          body: { valid_until: end },
        }),
      {
        onDone: () => {
          toast(`Token …${token.last_four} extended`);
          onExtended();
        },
        onNotFound: onExtended,
      },
    );
  }

  return (
    <FormDialog
      title={`Extend token …${token.last_four}`}
      sentence="The old token keeps working for longer, so that clients have time to switch to the new one."
      form={{ ...action, onConfirm: extend }}
      buttons={{
        disabledReason: end === null ? 'The time of this token cannot be extended.' : undefined,
      }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      {...dialog}
    >
      <Segmented<Choice>
        legend="It works"
        segments={(['day', 'week', 'latest'] as const).map((value) => ({
          value,
          label: choices[value],
        }))}
        value={choice}
        onChange={setChoice}
        help="30 days after the rotation at most, and not past the end of the key."
      />
      <Facts
        facts={[
          { label: 'Ends now on', value: <ExactTime value={token.valid_until} /> },
          { label: 'Would end on', value: end === null ? '–' : <ExactTime value={end} /> },
        ]}
      />
    </FormDialog>
  );
}

/** The chosen end, or the latest that is possible if that is sooner. */
function endOf(
  choice: Choice,
  { present, latest }: { present: string; latest: string | null },
): string | null {
  if (latest === null) return null;
  if (choice === 'latest') return latest;
  const longer = Date.parse(present) + (choice === 'day' ? dayMs : 7 * dayMs);
  return formatApiTime(new Date(Math.min(longer, Date.parse(latest))));
}
