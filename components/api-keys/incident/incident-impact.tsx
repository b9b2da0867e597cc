import { Facts, type Fact } from '#components/ui/data-display/facts.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import type { IncidentAct } from '#lib/contract/api-keys/incidents/incident-words.ts';
import type {
  IncidentPreview,
  PreviewedKey,
} from '#lib/contract/api-keys/incidents/incident-preview.ts';
import { countOf } from '#lib/count.ts';

import { MaskedToken } from '../masked-token.tsx';
import { CallCountsNote } from './call-counts-note.tsx';
import { describeKeysInUse, describeLastDay } from './describe-incident.ts';

/** What an incident would end: in total, and for each key. */
export function IncidentImpact({ act, preview }: { act: IncidentAct; preview: IncidentPreview }) {
  const { totals, keys, counted } = preview;
  const facts: Fact[] = [
    { label: act === 'rotate' ? 'Rotated' : 'Revoked', value: countOf(totals.keys, 'key') },
    {
      label: 'End now',
      value: `${countOf(totals.tokens_ending_now, 'token')}, ${callsPerHour(totals.calls_ending_now)}`,
    },
  ];
  if (totals.tokens_ending_later > 0) {
    facts.push({
      label: 'End later',
      value: `${countOf(totals.tokens_ending_later, 'token')}, ${callsPerHour(totals.calls_ending_later)}`,
    });
  }
  facts.push(
    { label: 'Last 24 h', value: describeLastDay(preview) },
    { label: 'In use now', value: describeKeysInUse(preview) },
  );
  if (totals.skipped > 0)
    facts.push({ label: 'Not changed', value: countOf(totals.skipped, 'key') });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div role="status">
        <Facts facts={facts} />
      </div>
      <ul
        aria-label="Calls that would end, by key"
        // It scrolls, so it must take the focus.
        tabIndex={0}
        className="grid max-h-44 grid-cols-[minmax(0,1fr)] overflow-y-auto rounded-3 border border-line-strong px-3 py-1"
      >
        {keys.toSorted(byCalls).map((key) => (
          <KeyThatWouldEnd key={key.uuid} apiKey={key} />
        ))}
      </ul>
      <CallCountsNote counted={counted} />
    </div>
  );
}

function KeyThatWouldEnd({ apiKey }: { apiKey: PreviewedKey }) {
  const { calls_ending_now: now, calls_ending_later: later } = apiKey;
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5 last:border-0">
      <span className="min-w-0 wrap-anywhere">
        {apiKey.name} <MaskedToken lastFour={apiKey.last_four} form="short" />
      </span>
      <span className="text-small text-ink-3 tabular-nums">
        {apiKey.skip_reason ??
          [callsPerHour(now + later), apiKey.is_in_use && 'in use now'].filter(Boolean).join(', ')}
      </span>
    </li>
  );
}

/** As high as what it stands for usually is, so that the fields below it hardly move. */
export function IncidentImpactSkeleton({ act, keyCount }: { act: IncidentAct; keyCount: number }) {
  const shownKeys = Math.min(keyCount, 5);
  return (
    <div aria-hidden className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Facts
        facts={[act === 'rotate' ? 'Rotated' : 'Revoked', 'End now', 'Last 24 h', 'In use now'].map(
          (label, index) => ({ label, value: <Skeleton width={120 + 30 * index} /> }),
        )}
      />
      <div className="grid max-h-44 overflow-hidden rounded-3 border border-line-strong px-3 py-1">
        {Array.from({ length: shownKeys }, (_, index) => (
          <div key={index} className="border-b border-line py-1.5 last:border-0">
            <Skeleton width={180 + 20 * (index % 3)} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** "0 calls an hour", "1 call an hour" */
function callsPerHour(count: number): string {
  return `${countOf(count, 'call')} an hour`;
}

function byCalls(a: PreviewedKey, b: PreviewedKey): number {
  const calls = (key: PreviewedKey) => key.calls_ending_now + key.calls_ending_later;
  return calls(b) - calls(a) || a.name.localeCompare(b.name, 'en');
}
