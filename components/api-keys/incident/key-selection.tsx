'use client';

import { Button } from '#components/ui/buttons/button.tsx';
import type { IncidentKey } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { countOf, formatCount } from '#lib/count.ts';

import { IncidentKeyRow, IncidentKeyTable } from './incident-key-table.tsx';
import type { SelectedKeys } from './use-key-selection.ts';

type KeySelectionProps = SelectedKeys & {
  caption: string;
  keys: readonly IncidentKey[];
  /** How many active keys there are, if filters leave some of them out. */
  outOf: number | undefined;
  isBusy: boolean;
};

/** The listed keys, each with a checkbox, and how many of them are chosen. */
export function KeySelection({ caption, keys, outOf, isBusy, ...selection }: KeySelectionProps) {
  const { chosen, isChosen, choose, chooseAll, clear } = selection;
  const areAllChosen = chosen.length === keys.length;
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-small text-ink-2">
          {outOf === undefined
            ? `${formatCount(chosen.length)} of ${countOf(keys.length, 'active key')} selected`
            : `${formatCount(chosen.length)} of ${countOf(keys.length, 'key')} selected, out of ${countOf(outOf, 'active key')}`}
        </p>
        <Button size="small" onClick={areAllChosen ? clear : chooseAll}>
          {areAllChosen ? 'Clear selection' : 'Select all'}
        </Button>
      </div>
      <IncidentKeyTable caption={caption} isBusy={isBusy}>
        {keys.map((apiKey) => (
          <IncidentKeyRow
            key={apiKey.uuid}
            apiKey={apiKey}
            isChosen={isChosen(apiKey)}
            onChoose={(isIncluded) => choose(apiKey, isIncluded)}
          />
        ))}
      </IncidentKeyTable>
    </>
  );
}
