import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { ApiResponse, TestClient } from '../api.ts';
import { tokenOf } from './tokens.ts';

/** A key with its token, which is shown once. */
export type CreatedKey = ApiKey & { token: string };

const path = '/api/v1/api-keys';

/** The calls that manage keys, made by one of them. */
export class KeyCalls {
  readonly #caller: TestClient;

  constructor(caller: TestClient) {
    this.#caller = caller;
  }

  /** The same calls with the token of another key. */
  as(token: string): KeyCalls {
    return new KeyCalls(this.#caller.as(token));
  }

  async create(body: unknown): Promise<ApiResponse> {
    return await this.#caller.post(path, body);
  }

  async rotate(key: number | string, body: unknown = {}): Promise<ApiResponse> {
    return await this.#caller.post(`${path}/${key}/rotate`, body);
  }

  /** Rotates a key; returns its new token. */
  async newToken(key: number | string, body: unknown = {}): Promise<string> {
    return tokenOf(await this.rotate(key, body));
  }

  async change(key: number, body: unknown): Promise<ApiResponse> {
    return await this.#caller.patch(`${path}/${key}`, body);
  }

  async revoke(key: number, body?: unknown): Promise<ApiResponse> {
    return await this.#caller.delete(`${path}/${key}`, body);
  }

  async endPreviousToken(key: number): Promise<ApiResponse> {
    return await this.#caller.delete(`${path}/${key}/previous-token`);
  }

  async endToken(key: number, token: number | string | undefined): Promise<ApiResponse> {
    return await this.#caller.delete(`${path}/${key}/tokens/${token}`);
  }

  async read(key: number): Promise<ApiKey> {
    return dataOf<ApiKey>(await this.#caller.get(`${path}/${key}`));
  }

  /** The key as the list shows it. */
  async find(key: number): Promise<ApiKey> {
    const list = itemsOf<ApiKey>(await this.#caller.get(path));
    const found = list.find(({ id }) => id === key);
    if (!found) throw new Error(`key ${key} is not in the list`);
    return found;
  }
}
