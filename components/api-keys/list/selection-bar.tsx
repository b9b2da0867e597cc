import { useQuery } from '@tanstack/react-query';
import { CirclePause, CirclePlay, OctagonX, RotateCw, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';
import type { IncidentAct } from '#lib/contract/api-keys/incidents/incident-words.ts';
import { countOf } from '#lib/count.ts';
import { minuteMs } from '#lib/durations.ts';
import { refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type SelectionBarProps = {
  selected: readonly ApiKey[];
  selectable: number;
  accountId: string;
  now: Date;
  onSelectAll: () => void;
  onClear: () => void;
  /** Called when the keys must be read again. */
  onStale: () => void;
};

/** The dialog's act and keys, as they were when its button was pressed. */
type ShownDialog = { act: IncidentAct; keys: readonly ApiKey[] };

/** What can be done with the selected keys together, at the bottom of the window. */
export function SelectionBar({
  selected,
  selectable,
  accountId,
  now,
  onSelectAll,
  onClear,
  onStale,
}: SelectionBarProps) {
  const [shownDialog, setShownDialog] = useState<ShownDialog | null>(null);
  const opener = useRef<HTMLButtonElement | null>(null);
  const { data: incidents } = useQuery({
    ...routeQuery(accountId, 'listIncidents'),
    refetchInterval: ({ state: { data, error } }) =>
      isAnyRunning(data) && refetchDelay(error, refetchMs),
  });
  const disabledReason = isAnyRunning(incidents)
    ? 'Another incident is running. Wait until it is done.'
    : undefined;
  const inUse = selected.filter(({ last_used_at: at }) => isInUse(at, now)).length;
  const paused = selected.filter(({ status }) => status === 'paused');

  const buttonFor = (act: IncidentAct) => ({
    size: 'small' as const,
    icon: icons[act],
    disabledReason,
    onClick: ({ currentTarget }: { currentTarget: HTMLButtonElement }) => {
      opener.current = currentTarget;
      setShownDialog({ act, keys: selected });
    },
  });

  return (
    <section
      aria-label="Selected keys"
      className="sticky bottom-4 z-(--z-sticky) mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-x-4 gap-y-2 rounded-3 border border-line bg-overlay px-4 py-2.5 shadow-menu max-sm:pr-12 print:hidden"
    >
      <p role="status" className="text-small text-ink-2">
        <strong className="text-ink">{selected.length} selected</strong>
        {inUse > 0 && ` · ${countOf(inUse, 'key')} in use now`}
      </p>
      {selected.length < selectable && (
        <Button size="small" variant="ghost" onClick={onSelectAll}>
          Select all {selectable}
        </Button>
      )}
      <div className="flex flex-wrap gap-2">
        <Button {...buttonFor('rotate')}>Rotate…</Button>
        {paused.length < selected.length && <Button {...buttonFor('pause')}>Pause…</Button>}
        {paused.length > 0 && <Button {...buttonFor('resume')}>Resume…</Button>}
        <Button {...buttonFor('revoke')} className="text-bad">
          Revoke…
        </Button>
      </div>
      <IconButton
        label="Clear selection"
        icon={<X />}
        className="max-sm:absolute max-sm:top-1 max-sm:right-1"
        onClick={onClear}
      />
      <LazyStartDialog
        shouldLoad={shownDialog !== null}
        shownDialog={shownDialog}
        accountId={accountId}
        finalFocus={opener}
        onStale={onStale}
        onClose={() => setShownDialog(null)}
      />
    </section>
  );
}

const LazyStartDialog = lazyComponent(async () => {
  const { StartIncident } = await import('../incident/start-incident.tsx');
  type Props = Omit<Parameters<typeof StartIncident>[0], keyof ShownDialog>;
  return ({ shownDialog, ...props }: Props & { shownDialog: ShownDialog | null }) =>
    shownDialog && <StartIncident {...shownDialog} {...props} />;
});

const icons = {
  rotate: <RotateCw />,
  pause: <CirclePause />,
  resume: <CirclePlay />,
  revoke: <OctagonX />,
} satisfies Record<IncidentAct, unknown>;

const refetchMs = 1000;

function isAnyRunning(incidents: readonly Incident[] | undefined): boolean {
  return incidents?.some(({ state }) => state === 'running') ?? false;
}

/** Whether a call was made with it in the last five minutes. */
function isInUse(at: string | null, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) <= 5 * minuteMs;
}
