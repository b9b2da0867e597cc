import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { ApiResponse, TestApi } from '../api.ts';

/** A key with its token, which is shown once. */
export type CreatedKey = ApiKey & { token: string };

const path = '/api/v1/api-keys';

/** The calls that manage keys, with the token of one of them. */
export class KeyCalls {
  readonly #api: TestApi;
  readonly #token: string;

  constructor(api: TestApi, token: string) {
    this.#api = api;
    this.#token = token;
  }

  /** The same calls with the token of another key. */
  as(token: string): KeyCalls {
    return new KeyCalls(this.#api, token);
  }

  async create(body: unknown): Promise<ApiResponse> {
    return await this.#api.as(this.#token).post(path, body);
  }

  async rotate(key: number | string, body: unknown = {}): Promise<ApiResponse> {
    return await this.#api.as(this.#token).post(`${path}/${key}/rotate`, body);
  }

  async change(key: number, body: unknown): Promise<ApiResponse> {
    return await this.#api.as(this.#token).patch(`${path}/${key}`, body);
  }

  async revoke(key: number, body?: unknown): Promise<ApiResponse> {
    return await this.#api.as(this.#token).delete(`${path}/${key}`, body);
  }

  async endPreviousToken(key: number): Promise<ApiResponse> {
    return await this.#api.as(this.#token).delete(`${path}/${key}/previous-token`);
  }

  async endToken(key: number, token: number | string | undefined): Promise<ApiResponse> {
    return await this.#api.as(this.#token).delete(`${path}/${key}/tokens/${token}`);
  }

  async read(key: number): Promise<ApiKey> {
    return dataOf<ApiKey>(await this.#api.as(this.#token).get(`${path}/${key}`));
  }

  /** The key as the list shows it. */
  async find(key: number): Promise<ApiKey> {
    const list = itemsOf<ApiKey>(await this.#api.as(this.#token).get(path));
    const found = list.find(({ id }) => id === key);
    if (!found) throw new Error(`key ${key} is not in the list`);
    return found;
  }
}
