'use client';

import { useQuery } from '@tanstack/react-query';

import { EntryChanges } from '#components/shell/audit-entry/entry-changes.tsx';
import type { FieldChange } from '#components/shell/audit-entry/read-changes.ts';
import { Section } from '#components/shell/page/section.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { allScopes, effectiveScopes, type Scope } from '#lib/contract/api-keys/scopes.ts';
import type { ApiKeyUsage } from '#lib/contract/api-keys/usage.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type KeyChangesProps = { apiKey: ApiKey; changes: UpdateApiKeyInput; accountId: string };

/** What saving the form changes, and when the scopes that it removes were last used. */
export function KeyChanges({ apiKey, changes, accountId }: KeyChangesProps) {
  const { data: members = [] } = useQuery(routeQuery(accountId, 'listMembers'));
  const removed = removedScopes(apiKey, changes);
  const { data: usage, error } = useQuery({
    ...routeQuery(accountId, 'getApiKeyUsage', {
      params: { apiKey: apiKey.uuid },
      query: { window: '30d' },
    }),
    enabled: removed.length > 0,
  });
  const fields = changedFields(apiKey, changes, members);
  if (fields.length === 0) return null;
  return (
    <Section title="What changes when you save">
      <EntryChanges changes={fields} />
      {removed.length > 0 && (
        <ul aria-label="Last use of the removed scopes" className="mt-3 grid gap-1 text-small">
          {removed.map((scope) => (
            <li key={scope} className="text-pretty text-ink-2">
              <Code>{scope}</Code>:{' '}
              <LastUseOfScope scope={scope} usage={usage} hasFailed={error !== null} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

type LastUseOfScopeProps = {
  scope: Scope;
  usage: ApiKeyUsage | undefined;
  hasFailed: boolean;
};

function LastUseOfScope({ scope, usage, hasFailed }: LastUseOfScopeProps) {
  if (usage === undefined)
    return hasFailed ? 'its last use could not be loaded.' : 'loading its last use…';
  const at = usage.routes
    .filter(({ required_scope: required }) => required === scope)
    .flatMap(({ last_accepted_at: last }) => last ?? [])
    .toSorted()
    .at(-1);
  if (at === undefined) return 'not used in the last 30 days.';
  return (
    <>
      last used <RelativeTime isMidSentence value={at} />. Calls that need it will be rejected with
      403.
    </>
  );
}

function removedScopes({ scopes }: ApiKey, changes: UpdateApiKeyInput): Scope[] {
  if (!changes.scopes) return [];
  const kept = effectiveScopes(changes.scopes);
  return scopes.filter((scope) => !kept.includes(scope));
}

/** The changed fields with their values before and after, as people read them. */
function changedFields(
  apiKey: ApiKey,
  { scopes, responsible_id: responsibleId, ...changes }: UpdateApiKeyInput,
  members: readonly Member[],
): FieldChange[] {
  return [
    ...Object.entries(changes).map(([field, after]) => ({
      field,
      before: apiKey[field as keyof typeof changes],
      after,
    })),
    ...(scopes === undefined
      ? []
      : [
          {
            field: 'scopes',
            before: apiKey.scopes.length === allScopes.length ? 'All scopes' : apiKey.scopes,
            after: scopes === null ? 'All scopes, including future ones' : effectiveScopes(scopes),
          },
        ]),
    ...(responsibleId === undefined
      ? []
      : [
          {
            field: 'responsible',
            before: apiKey.responsible?.name,
            after: members.find(({ id }) => id === responsibleId)?.name,
          },
        ]),
  ];
}
