import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { DeskResults, FoundToken } from '#lib/contract/support-desk/support-desk.ts';
import type { Context } from '../../context.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { ApiResponse, Resource, TestAccount, TestApi } from '../api.ts';
import { addPerson, addSupporter } from '../records/people.ts';
import { addSessionsById } from '../sessions.ts';

type Asker = { personId: string };

/** The support desk, used by somebody of installation support unless a call names another person. */
export class TestDesk {
  readonly #api: TestApi;
  readonly #supporter: Asker;

  constructor(api: TestApi, supporter: Asker) {
    this.#api = api;
    this.#supporter = supporter;
  }

  async search(text: string, as = this.#supporter): Promise<ApiResponse> {
    return await this.#api.as(as).post('/api/dashboard/support-desk/searches', { search: text });
  }

  async resultsOf(text: string, as = this.#supporter): Promise<DeskResults> {
    const response = await this.search(text, as);
    expect(response.status, response.text).toBe(200);
    return dataOf<DeskResults>(response);
  }

  async lookUp(token: string, as = this.#supporter): Promise<FoundToken> {
    const path = '/api/dashboard/support-desk/token-searches';
    const response = await this.#api.as(as).post(path, { token_digest: digestOf(token) });
    expect(response.status, response.text).toBe(200);
    return dataOf<FoundToken>(response);
  }

  /** The entries with this action in the audit log of the account. */
  async auditOf(action: string, account: TestAccount): Promise<Resource[]> {
    const { token } = await account.key({ name: 'Reads the log' });
    const response = await this.#api.as(token).get(`/api/v1/audit-log?action=${action}`);
    return itemsOf(response).filter((entry) => entry['action'] === action);
  }
}

/** Adds somebody of installation support, for `withSessionsById`. */
export async function addDeskSupporter(ctx: Context): Promise<Asker> {
  const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
  await addSupporter(ctx, personId);
  await addSessionsById(ctx, [personId]);
  return { personId };
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function idsOf(found: { items: readonly { id: number | string }[] }): (number | string)[] {
  return found.items.map(({ id }) => id);
}
