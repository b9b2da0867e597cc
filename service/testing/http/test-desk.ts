import { createHash } from 'node:crypto';
import { beforeEach, expect } from 'vitest';
import type {
  DeskResults,
  FoundToken,
  SearchDeskInput,
} from '#lib/contract/support-desk/support-desk.ts';
import type { Context } from '../../context.ts';
import { dataOf, itemsOf, TestAccount } from '../api.ts';
import type { TestContext } from '../context.ts';
import type { ApiResponse, Resource, TestApi } from '../api.ts';
import { addAccount, addPerson, addSupporter, addVisit } from '../records/people.ts';
import { addSessionsById } from '../sessions.ts';
import { useApi } from '../use-api.ts';

type Asker = { personId: string };

/** `useApi` with the support desk, which has another account and another person for each test. */
export function useDesk() {
  const { ctx, api } = useApi();
  const desk = new TestDesk(ctx, api);
  beforeEach(() => desk.begin());
  return { ctx, api, desk, account: desk.account, supporter: desk.supporter };
}

/** The support desk, used by someone of installation support unless a call names another person. */
export class TestDesk {
  readonly supporter: Asker = { personId: '' };
  /** A part of every name, so that suites do not find each other's rows. */
  marker = '';
  /** An account with this marker in its name. */
  readonly account: TestAccount;
  readonly #ctx: TestContext;
  readonly #api: TestApi;

  constructor(ctx: TestContext, api: TestApi) {
    this.#ctx = ctx;
    this.#api = api;
    this.account = new TestAccount(api);
  }

  /** With a new account, for someone of installation support whom nobody else uses. */
  async begin(): Promise<void> {
    this.marker = crypto.randomUUID().slice(0, 13);
    const id = await addAccount(this.#ctx, `Halden ${this.marker}`);
    Object.assign(this.account, new TestAccount(this.#api, id));
    Object.assign(this.supporter, await addDeskSupporter(this.#ctx));
  }

  /** The person of installation support gives a reason for opening an account. */
  async giveReason(accountId = this.account.id): Promise<void> {
    const { personId } = this.supporter;
    await addVisit(this.#ctx, { accountId, personId, sessionId: personId });
  }

  async search(
    text: string,
    { as = this.supporter, ...input }: { as?: Asker } & Omit<SearchDeskInput, 'search'> = {},
  ): Promise<ApiResponse> {
    const body = { search: text, ...input };
    return await this.#api.as(as).post('/api/dashboard/support-desk/searches', body);
  }

  async resultsOf(
    text: string,
    options: Parameters<typeof this.search>[1] = {},
  ): Promise<DeskResults> {
    const response = await this.search(text, options);
    expect(response.status, response.text).toBe(200);
    return dataOf<DeskResults>(response);
  }

  async lookUp(token: string, as = this.supporter): Promise<FoundToken> {
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

/** Adds someone of installation support, with a session by id. */
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
