import 'server-only';
import * as contract from '../contract/api-keys/incidents/incidents.ts';
import type { Incident, IncidentWithKeys } from '../contract/api-keys/incidents/incident.ts';
import type {
  IncidentKeyFilters,
  IncidentKeys,
} from '../contract/api-keys/incidents/incident-keys.ts';
import type {
  IncidentPreview,
  PreviewIncidentInput,
} from '../contract/api-keys/incidents/incident-preview.ts';
import type { StartIncidentInput } from '../contract/api-keys/incidents/incidents.ts';
import { request } from './client/client.ts';

/** The active keys that match the filters, and how much each is used. @throws ApiError */
export async function listIncidentKeys(filters: IncidentKeyFilters): Promise<IncidentKeys> {
  return (await request(contract.listIncidentKeys, { query: filters })).data;
}

/** Previews what rotating or revoking these keys would end. Changes nothing. @throws ApiError */
export async function previewIncident(input: PreviewIncidentInput): Promise<IncidentPreview> {
  return (await request(contract.previewIncident, { body: input })).data;
}

/** Begins to rotate or revoke keys, one after the other. @throws ApiError */
export async function startIncident(input: StartIncidentInput): Promise<IncidentWithKeys> {
  return (await request(contract.startIncident, { body: input })).data;
}

/** The latest incidents of the account, newest first. @throws ApiError */
export async function listIncidents(): Promise<Incident[]> {
  return (await request(contract.listIncidents, {})).data;
}

/** The incident with this uuid. @throws ApiError NOT_FOUND for another account's as well */
export async function getIncident(incident: string): Promise<IncidentWithKeys> {
  return (await request(contract.getIncident, { params: { incident } })).data;
}

/** Cancels the incident with this uuid; keys that still wait stay as they are. @throws ApiError */
export async function cancelIncident(incident: string): Promise<IncidentWithKeys> {
  return (await request(contract.cancelIncident, { params: { incident } })).data;
}
