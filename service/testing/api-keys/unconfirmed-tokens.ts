import { expect } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { dataOf } from '../api.ts';
import type { ApiResponse, TestKey, TestMember } from '../api.ts';
import { auditEntriesOf } from '../records/audit-log.ts';
import { useApi } from '../use-api.ts';
import type { ApiFixture } from '../use-api.ts';
import type { CreatedKey } from './key-calls.ts';
import { lastFour, tokenOf, useToken } from './tokens.ts';

type Input = { name?: string; type?: string; scopes?: readonly Scope[] };

type Team = Pick<ApiFixture, 'ctx' | 'api' | 'account' | 'owner' | 'admin' | 'support' | 'caller'>;

/**
 * `useApi` with another account for each test, whose members are shown tokens in the dashboard, and
 * what they do about them.
 */
export function useUnconfirmedTokens(): Team & { tokens: UnconfirmedTokens } {
  const { ctx, api, account, owner, admin, support, caller } = useApi({
    accountFor: 'test',
    caller: { name: 'Caller' },
  });
  const team = { ctx, api, account, owner, admin, support, caller };
  return { ...team, tokens: new UnconfirmedTokens(team) };
}

class UnconfirmedTokens {
  readonly #team: Team;

  constructor(team: Team) {
    this.#team = team;
  }

  /** Creates a key in the dashboard. */
  async create(by: TestMember, input: Input = {}): Promise<CreatedKey> {
    const body = { name: 'Billing', type: 'webhook', ...input };
    const response = await by.post('/api/v1/api-keys', body);
    expect(response.status).toBe(201);
    return dataOf<CreatedKey>(response);
  }

  /** A key that support may see the token of, and whose token is in use. */
  async keyInUse(options: { expiresAt?: string } = {}): Promise<TestKey> {
    const key = await this.#team.account.key({ scopes: ['webhooks:read'], ...options });
    await useToken(this.#team.api, key.token);
    return key;
  }

  /** Returns the new token. */
  async rotate(by: TestMember, id: number, body: unknown = {}): Promise<string> {
    return tokenOf(await by.post(`/api/v1/api-keys/${id}/rotate`, body));
  }

  async confirm(by: TestMember, id: number, token: string): Promise<ApiResponse> {
    const path = `/api/dashboard/api-keys/${id}/confirm-token`;
    return await by.post(path, { last_four: lastFour(token) });
  }

  async replace(by: TestMember, id: number, token: string): Promise<ApiResponse> {
    const path = `/api/dashboard/api-keys/${id}/replace-unconfirmed-token`;
    return await by.post(path, { expected_last_four: lastFour(token) });
  }

  async undo(by: TestMember, id: number, token: string): Promise<ApiResponse> {
    const path = `/api/dashboard/api-keys/${id}/undo-rotation`;
    return await by.post(path, { expected_last_four: lastFour(token) });
  }

  /** Has support ask the owner to rotate the key; returns the UUID of the request. */
  async request(id: number, reason: string): Promise<string> {
    const { owner, support } = this.#team;
    const path = `/api/dashboard/api-keys/${id}/rotation-requests`;
    const response = await support.post(path, { member: owner.personId, reason });
    expect(response.status).toBe(201);
    return dataOf<{ uuid: string }>(response).uuid;
  }

  async read(id: number): Promise<ApiKey> {
    return dataOf<ApiKey>(await this.#team.caller.get(`/api/v1/api-keys/${id}`));
  }

  async newestOf(id: number): Promise<ApiKeyToken | undefined> {
    return (await this.read(id)).tokens[0];
  }

  /** The action and the changes of each audit entry about a target. */
  async auditOf(uuid: string): Promise<[string, unknown][]> {
    const entries = await auditEntriesOf(this.#team.ctx, this.#team.account.id);
    return entries
      .filter(({ target }) => target.id === uuid)
      .map(({ action, changes }) => [action, changes]);
  }
}

/** A person as the API names the person who did something. */
export function named({ personId, personName }: PersonActor) {
  return { kind: 'person', id: personId, name: personName };
}
