import { useState } from 'react';
import { EntryChanges } from '#components/shell/audit-entry/entry-changes.tsx';
import { EntrySentence } from '#components/shell/audit-entry/entry-sentence.tsx';
import { readChanges } from '#components/shell/audit-entry/read-changes.ts';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { Drawer } from '#components/ui/overlays/drawer.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { auditLogPathOf } from '#lib/paths/audit-log-path.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { targetPath } from '../target-path.ts';
import { findEntryOpener } from './entry-opener.ts';

type EntryDrawerProps = {
  /** The id of the entry to show. Null: the drawer is closed. */
  id: number | null;
  /** The entries in the table. */
  listed: readonly AuditEntry[];
  onClose: () => void;
};

/** A drawer with one entry: what changed, from where, and links to its actor and target. */
export function EntryDrawer({ id, listed, onClose }: EntryDrawerProps) {
  // Keeps the last entry while the drawer closes, or after newer ones pushed it off the page.
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const found = listed.find((entry) => entry.id === id);
  if (found && found.id !== shown?.id) setShown(found);
  const entry = id === null || shown?.id === id ? shown : null;
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      finalFocus={() => findEntryOpener(id ?? shown?.id ?? null)}
      title={<span className="font-medium">Audit entry</span>}
    >
      {entry ? (
        <Entry entry={entry} />
      ) : (
        <DrawerPart>
          <p>This entry is not in the list. Load older entries, or change the filters.</p>
        </DrawerPart>
      )}
    </Drawer>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { actor, action, target } = entry;
  const changes = readChanges(entry.changes);
  const actorId = actor.id ?? actor.kind;
  const facts = [
    { label: 'Exact time', value: <ExactTime value={entry.at} form="seconds" /> },
    { label: 'Actor', value: <Named thing={actor} /> },
    {
      label: 'Action',
      value: <Code>{action}</Code>,
    },
    { label: 'Target', value: <Named thing={target} /> },
    {
      label: 'Target ID',
      value: <Code>{target.id}</Code>,
    },
    { label: 'IP address', value: codeOr(entry.ip, 'None: done by the service') },
    { label: 'User agent', value: entry.user_agent ?? 'None' },
    { label: 'Request ID', value: codeOr(entry.request_id, 'None') },
    {
      label: 'Entry',
      value: <Code>{entry.id}</Code>,
    },
  ];
  return (
    <>
      <DrawerPart>
        {!entry.is_chained && (
          <Banner tone="bad" title="The service did not write this entry.">
            Someone added it to the database. Ask your administrator to verify the audit log.
          </Banner>
        )}
        <div>
          <p className="text-ink-2 wrap-anywhere">
            <strong className="font-medium text-ink">{actor.name}</strong>{' '}
            <EntrySentence entry={entry} />
          </p>
          <p className="text-small text-ink-3">
            <RelativeTime value={entry.at} />
          </p>
        </div>
      </DrawerPart>
      <DrawerPart title="What changed">
        {changes.length > 0 ? (
          <EntryChanges changes={changes} />
        ) : (
          <p className="text-ink-3">This action changed no recorded value.</p>
        )}
      </DrawerPart>
      <DrawerPart title="Details">
        <Facts facts={facts} />
      </DrawerPart>
      <DrawerPart title="More entries">
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={auditLogPathOf({ target: target.id })}>
            All about {target.name}
          </ButtonLink>
          <ButtonLink href={auditLogPathOf({ actor: actorId })}>All by {actor.name}</ButtonLink>
          <ButtonLink href={auditLogPathOf({ action })}>All of this action</ButtonLink>
        </div>
      </DrawerPart>
    </>
  );
}

function Named({ thing }: { thing: { kind: string; id: string | null; name: string } }) {
  const path = targetPath(thing);
  return path === null ? (
    thing.name
  ) : (
    <PageLink href={path} className="underline decoration-ink-3 underline-offset-3">
      {thing.name}
    </PageLink>
  );
}

function codeOr(text: string | null, none: string) {
  return text === null ? none : <Code>{text}</Code>;
}
