import { queryOptions } from '@tanstack/react-query';
import type { Incident, IncidentWithKeys } from '../contract/api-keys/incidents/incident.ts';
import type {
  IncidentKeyFilters,
  IncidentKeys,
} from '../contract/api-keys/incidents/incident-keys.ts';
import { toQueryString } from '../paths/query-string.ts';
import { read } from './read.ts';

/** The active keys that match the filters. */
export function incidentKeysQuery(accountId: string, filters: IncidentKeyFilters) {
  const asked = toQueryString(filters);
  return queryOptions({
    queryKey: ['incident-keys', accountId, asked],
    queryFn: ({ signal }) => read<IncidentKeys>(accountId, `incident-keys?${asked}`, signal),
  });
}

/** The latest incidents of the account. */
export function incidentsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['incidents', accountId],
    queryFn: ({ signal }) => read<Incident[]>(accountId, 'incidents', signal),
  });
}

/** One incident with the result for each key. @param incident uuid */
export function incidentQuery(accountId: string, incident: string) {
  return queryOptions({
    queryKey: ['incidents', accountId, incident],
    queryFn: ({ signal }) =>
      read<IncidentWithKeys>(accountId, `incidents/${encodeURIComponent(incident)}`, signal),
  });
}
