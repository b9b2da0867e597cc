'use client';

import { RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { countOf } from '#lib/count.ts';

type TryAgainProps = {
  incident: IncidentWithKeys;
  /** The keys that failed in the incident and have not ended. */
  failed: readonly { uuid: string }[];
  accountId: string;
  /** Called when the keys must be read again. */
  onStale: () => void;
};

/** Opens the dialog that starts an incident with the keys that failed in an earlier one. */
export function TryAgain({ incident, failed, accountId, onStale }: TryAgainProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-2">
      <p className="min-w-0 flex-1 basis-60">
        {countOf(failed.length, 'key')} failed and {failed.length === 1 ? 'was' : 'were'} not
        changed.
      </p>
      <Button ref={button} icon={<RotateCw />} onClick={() => setIsOpen(true)}>
        Try again with {countOf(failed.length, 'key')}
      </Button>
      <LazyDialog
        shouldLoad={isOpen}
        isOpen={isOpen}
        act={incident.act}
        keys={failed}
        choice={{}}
        earlier={{ grace: incident.grace_period_seconds ?? 0, reason: incident.reason }}
        accountId={accountId}
        finalFocus={button}
        onStale={onStale}
        onClose={() => setIsOpen(false)}
      />
    </div>
  );
}

const LazyDialog = lazyComponent(async () => {
  const { StartIncident } = await import('./start-incident.tsx');
  return ({ isOpen, ...props }: Parameters<typeof StartIncident>[0] & { isOpen: boolean }) =>
    isOpen && <StartIncident {...props} />;
});
