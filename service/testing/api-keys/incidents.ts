import { expect } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Incident, IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import {
  type IncidentAct,
  incidentConfirmation,
} from '#lib/contract/api-keys/incidents/incident-words.ts';
import type { IncidentPreview } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import { dataOf } from '../api.ts';
import type { TestKey, TestMember } from '../api.ts';
import { auditEntriesOf } from '../records/audit-log.ts';
import { useApi } from '../use-api.ts';
import type { ApiFixture } from '../use-api.ts';
import { tokenOf } from './tokens.ts';

type Act = { act: IncidentAct; grace_period_seconds?: number };

type Team = Pick<ApiFixture, 'ctx' | 'api' | 'account' | 'owner' | 'admin'>;

/** `useApi` with another account for each test, whose owner and admin start incidents. */
export function useIncidents(): Team & { incidents: Incidents } {
  const { ctx, api, account, owner, admin } = useApi({ accountFor: 'test' });
  const team = { ctx, api, account, owner, admin };
  return { ...team, incidents: new Incidents(team) };
}

class Incidents {
  readonly #team: Team;

  constructor(team: Team) {
    this.#team = team;
  }

  /** The active keys of the account, newest first. */
  async keys(by = this.#team.owner): Promise<ApiKey[]> {
    const listed = dataOf<ApiKey[]>(await by.get('/api/v1/api-keys'));
    return listed.filter(({ status }) => status !== 'revoked' && status !== 'expired');
  }

  /** The names of the keys that were used from an address or network. */
  async usedFrom(address: string): Promise<string[]> {
    const query = new URLSearchParams({ address });
    const path = `/api/dashboard/api-keys-used-from?${query}`;
    const uuids = dataOf<string[]>(await this.#team.owner.get(path));
    return (await this.keys()).filter(({ uuid }) => uuids.includes(uuid)).map(({ name }) => name);
  }

  /** Of all active keys. */
  async preview(act: Act): Promise<IncidentPreview> {
    const keys = (await this.keys()).map(({ uuid }) => uuid);
    const path = '/api/dashboard/incident-preview';
    const response = await this.#team.owner.post(path, { ...act, keys });
    expect(response.status).toBe(200);
    return dataOf<IncidentPreview>(response);
  }

  /** For all active keys. */
  async start(by: TestMember, options: Act): Promise<IncidentWithKeys> {
    const keys = (await this.keys(by)).map(({ uuid }) => uuid);
    const response = await by.post('/api/dashboard/incidents', inputFor(keys, options));
    expect(response.status).toBe(201);
    return dataOf<IncidentWithKeys>(response);
  }

  async get({ uuid }: { uuid: string }, by = this.#team.owner): Promise<IncidentWithKeys> {
    return dataOf<IncidentWithKeys>(await by.get(`/api/dashboard/incidents/${uuid}`));
  }

  async list(): Promise<Incident[]> {
    return dataOf<Incident[]>(await this.#team.owner.get('/api/dashboard/incidents'));
  }

  /** Calls with a token; returns the status. */
  async use({ token }: { token: string }, { from = '203.0.113.7' } = {}): Promise<number> {
    const headers = { 'x-client-address': from };
    return (await this.#team.api.as(token).get('/api/v1/api-key', headers)).status;
  }

  /** Rotates one key, with the grace period of 24 hours; returns the new token. */
  async rotate({ id }: TestKey): Promise<string> {
    const path = `/api/v1/api-keys/${id}/rotate`;
    return tokenOf(await this.#team.owner.post(path, {}));
  }

  /** The actions in the audit log whose target has this name. */
  async auditedOf(name: string): Promise<string[]> {
    const entries = await auditEntriesOf(this.#team.ctx, this.#team.account.id);
    return entries.filter(({ target }) => target.name === name).map(({ action }) => action);
  }
}

/** The body that starts an incident for these keys. */
export function inputFor(keys: readonly string[], act: Act) {
  const confirmation = incidentConfirmation(act.act, keys.length);
  return { ...act, keys, reason: 'Laptop stolen', ...(confirmation !== null && { confirmation }) };
}
