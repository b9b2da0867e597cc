'use server';

import * as api from '../api/incidents.ts';
import type {
  IncidentPreview,
  PreviewIncidentInput,
} from '../contract/api-keys/incidents/incident-preview.ts';
import type { IncidentWithKeys } from '../contract/api-keys/incidents/incident.ts';
import type { StartIncidentInput } from '../contract/api-keys/incidents/incidents.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

/** Previews what rotating or revoking keys would end. Changes nothing. */
export async function previewIncident(
  input: PreviewIncidentInput,
): Promise<ActionResult<{ preview: IncidentPreview }>> {
  return await runServerAction(actionArguments.previewIncident, [input], async (valid) => ({
    preview: await api.previewIncident(...valid),
  }));
}

export async function startIncident(
  input: StartIncidentInput,
): Promise<ActionResult<{ incident: IncidentWithKeys }>> {
  return await runServerAction(actionArguments.startIncident, [input], async (valid) => ({
    incident: await api.startIncident(...valid),
  }));
}

/** @param incident uuid */
export async function cancelIncident(
  incident: string,
): Promise<ActionResult<{ incident: IncidentWithKeys }>> {
  return await runServerAction(actionArguments.cancelIncident, [incident], async (valid) => ({
    incident: await api.cancelIncident(...valid),
  }));
}
