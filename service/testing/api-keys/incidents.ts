import { expect } from 'vitest';
import type { Incident, IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import type { IncidentKeys } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import type { IncidentPreview } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { dataOf } from '../api.ts';
import type { TestAccount, TestApi, TestKey } from '../api.ts';
import type { TestContext } from '../context.ts';
import { auditEntriesOf } from '../records/audit-log.ts';
import { tokenOf } from './tokens.ts';

type Act = { act: 'rotate' | 'revoke'; grace_period_seconds?: number };
type Started = Act & { choice?: Record<string, string> };

type Team = { account: TestAccount; owner: PersonActor; admin: PersonActor };

/** An account whose owner and admin start incidents. */
export class Incidents {
  readonly team: Team;
  readonly #ctx: TestContext;
  readonly #api: TestApi;

  private constructor(ctx: TestContext, api: TestApi, team: Team) {
    this.#ctx = ctx;
    this.#api = api;
    this.team = team;
  }

  /** In a new account. */
  static async open(ctx: TestContext, api: TestApi): Promise<Incidents> {
    const account = await api.account();
    const owner = await account.member('owner');
    return new Incidents(ctx, api, { account, owner, admin: await account.member('admin') });
  }

  /** The active keys that match the filters. */
  async keys(
    choice: Record<string, string> = {},
    by: PersonActor = this.team.owner,
  ): Promise<IncidentKeys> {
    const path = `/api/dashboard/incident-keys?${new URLSearchParams(choice)}`;
    const response = await this.#api.as(by).get(path);
    expect(response.status).toBe(200);
    return dataOf<IncidentKeys>(response);
  }

  /** Their names. */
  async chosen(choice: Record<string, string>): Promise<string[]> {
    return (await this.keys(choice)).keys.map(({ name }) => name);
  }

  /** Of all active keys. */
  async preview(act: Act): Promise<IncidentPreview> {
    const keys = (await this.keys()).keys.map(({ uuid }) => uuid);
    const path = '/api/dashboard/incident-preview';
    const response = await this.#api.as(this.team.owner).post(path, { ...act, keys });
    expect(response.status).toBe(200);
    return dataOf<IncidentPreview>(response);
  }

  /** For all active keys. */
  async start(by: PersonActor, options: Started): Promise<IncidentWithKeys> {
    const keys = (await this.keys({}, by)).keys.map(({ uuid }) => uuid);
    const response = await this.#api
      .as(by)
      .post('/api/dashboard/incidents', inputFor(keys, options));
    expect(response.status).toBe(201);
    return dataOf<IncidentWithKeys>(response);
  }

  async get(
    { uuid }: { uuid: string },
    by: PersonActor = this.team.owner,
  ): Promise<IncidentWithKeys> {
    return dataOf<IncidentWithKeys>(await this.#api.as(by).get(`/api/dashboard/incidents/${uuid}`));
  }

  async list(): Promise<Incident[]> {
    return dataOf<Incident[]>(await this.#api.as(this.team.owner).get('/api/dashboard/incidents'));
  }

  /** Calls with a token; returns the status. */
  async use({ token }: { token: string }, { from = '203.0.113.7' } = {}): Promise<number> {
    const headers = { 'x-client-address': from };
    return (await this.#api.as(token).get('/api/v1/api-key', headers)).status;
  }

  /** Rotates one key, with the grace period of 24 hours; returns the new token. */
  async rotate({ id }: TestKey): Promise<string> {
    const path = `/api/v1/api-keys/${id}/rotate`;
    return tokenOf(await this.#api.as(this.team.owner).post(path, {}));
  }

  /** The actions in the audit log whose target has this name. */
  async auditedOf(name: string): Promise<string[]> {
    const entries = await auditEntriesOf(this.#ctx, this.team.account.id);
    return entries.filter(({ target }) => target.name === name).map(({ action }) => action);
  }
}

/** The body that starts an incident for these keys. */
export function inputFor(keys: readonly string[], { choice = {}, ...act }: Started) {
  const confirmation = `${act.act} ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`;
  return { ...act, keys, choice, reason: 'Laptop stolen', confirmation };
}
