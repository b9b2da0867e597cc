import { randomBytes, randomInt } from 'node:crypto';
import { digestToken } from '../../tokens/token.ts';
import type { Noun, State, Thing } from './stored-state.ts';

/** The parts of a response about a created thing. */
export type ResponseData = {
  id: number;
  name: string;
  token: string;
  secret: string;
};

/** One call, with its effect. */
export type Act = {
  noun: Noun;
  /** Null for an act that creates a thing, whose `name` is unique. */
  id: number | null;
  name: string;
  method: string;
  path: string;
  body?: unknown;
  idempotencyKey?: string;
  /** The thing after the act, according to the response; null if the act removes the thing. */
  leaves: (data: ResponseData) => Thing | null;
  /** Whether the state after the crash shows that the act was executed. */
  isDoneIn: (found: Thing | undefined) => boolean;
  /** Records a completed act; `token` is null if the response was lost. */
  note: (done: { id: number; token: string | null }) => void;
};

/** The acts of one client, with what it knows about the things it created. */
export class CrashActs {
  /**
   * Tokens since the last check: by key, as far as known, and those that must no longer be valid.
   */
  readonly tokens = new Map<number, string | null>();
  readonly ended = new Set<string>();
  readonly #expected: State;
  readonly #keys: number[] = [];
  readonly #webhooks: number[] = [];
  /** Webhooks whose secret was last replaced with a grace period. */
  readonly #withOldSecret = new Set<number>();
  readonly #conversations: number[] = [];

  constructor(expected: State) {
    this.#expected = expected;
  }

  createKey(): Act {
    const name = uniqueName();
    return {
      noun: 'key',
      id: null,
      name,
      method: 'POST',
      path: '/api/v1/api-keys',
      body: { name, type: 'full' },
      leaves: ({ token }) => ({ name, holds: digestOf(token), isClosed: false }),
      isDoneIn: (found) => found?.name === name && !found.isClosed,
      note: ({ id, token }) => {
        this.#keys.push(id);
        this.tokens.set(id, token);
      },
    };
  }

  /** A random act of those that are possible now. */
  choose(): Act {
    const key = pick(this.#keys);
    const webhook = pick(this.#webhooks);
    const conversation = pick(this.#conversations);
    const act = pick([
      ...(this.#keys.length < 6 ? [this.createKey.bind(this)] : []),
      ...(this.#webhooks.length < 6 ? [this.#createWebhook.bind(this)] : []),
      this.#createConversation.bind(this),
      ...(key === undefined
        ? []
        : [
            () => this.#rotateKey(key),
            () => this.#rotateKey(key),
            () => this.#renameKey(key),
            () => this.#revokeKey(key),
          ]),
      ...(webhook === undefined
        ? []
        : [
            () => this.#regenerateSecret(webhook),
            () => this.#regenerateSecret(webhook),
            () => this.#renameWebhook(webhook),
            () => this.#deleteWebhook(webhook),
          ]),
      ...(conversation === undefined
        ? []
        : [
            ...Array.from({ length: 4 }, () => () => this.#createMessage(conversation)),
            () => this.#closeConversation(conversation),
          ]),
    ]);
    return (act ?? this.createKey.bind(this))();
  }

  #rotateKey(id: number): Act {
    const before = this.#thing('key', id);
    const ended = this.tokens.get(id);
    const grace = pick([0, 3600]);
    return {
      ...this.#change('key', id),
      method: 'POST',
      path: `/api/v1/api-keys/${id}/rotate`,
      body: { grace_period_seconds: grace },
      leaves: ({ token }) => ({ ...before, holds: digestOf(token) }),
      isDoneIn: (found) => found !== undefined && found.holds !== before.holds,
      note: ({ token }) => {
        if (grace === 0 && ended) this.ended.add(ended);
        this.tokens.set(id, token);
      },
    };
  }

  #renameKey(id: number): Act {
    const renamed = { ...this.#thing('key', id), name: uniqueName() };
    return {
      ...this.#change('key', id),
      method: 'PATCH',
      path: `/api/v1/api-keys/${id}`,
      body: { name: renamed.name },
      leaves: () => renamed,
      isDoneIn: (found) => found?.name === renamed.name,
      note: () => undefined,
    };
  }

  #revokeKey(id: number): Act {
    const revoked = { ...this.#thing('key', id), isClosed: true };
    return {
      ...this.#change('key', id),
      method: 'DELETE',
      path: `/api/v1/api-keys/${id}`,
      leaves: () => revoked,
      isDoneIn: (found) => found?.isClosed === true,
      note: () => {
        const token = this.tokens.get(id);
        if (token) this.ended.add(token);
        this.tokens.delete(id);
        remove(this.#keys, id);
      },
    };
  }

  #createWebhook(): Act {
    const name = uniqueName();
    return {
      noun: 'webhook',
      id: null,
      name,
      method: 'POST',
      path: '/api/v1/webhooks',
      body: { name, url: 'https://example.com/hook', events: ['message.created'] },
      leaves: () => ({ name, holds: null, isClosed: false }),
      isDoneIn: (found) => found?.name === name,
      note: ({ id }) => this.#webhooks.push(id),
    };
  }

  /**
   * Alternates between calls with and without a grace period, because a webhook can have at most
   * four valid secrets.
   */
  #regenerateSecret(id: number): Act {
    const before = this.#thing('webhook', id);
    const grace = this.#withOldSecret.has(id) ? 0 : 3600;
    if (grace === 0) this.#withOldSecret.delete(id);
    else this.#withOldSecret.add(id);
    return {
      ...this.#change('webhook', id),
      method: 'POST',
      path: `/api/v1/webhooks/${id}/regenerate-secret`,
      body: { grace_period_seconds: grace },
      leaves: ({ secret }) => ({ ...before, holds: secret }),
      isDoneIn: (found) => found !== undefined && found.holds !== before.holds,
      note: () => undefined,
    };
  }

  #renameWebhook(id: number): Act {
    const renamed = { ...this.#thing('webhook', id), name: uniqueName() };
    return {
      ...this.#change('webhook', id),
      method: 'PATCH',
      path: `/api/v1/webhooks/${id}`,
      body: { name: renamed.name },
      leaves: () => renamed,
      isDoneIn: (found) => found?.name === renamed.name,
      note: () => undefined,
    };
  }

  #deleteWebhook(id: number): Act {
    return {
      ...this.#change('webhook', id),
      method: 'DELETE',
      path: `/api/v1/webhooks/${id}`,
      leaves: () => null,
      isDoneIn: (found) => found === undefined,
      note: () => remove(this.#webhooks, id),
    };
  }

  #createConversation(): Act {
    const name = uniqueName();
    return {
      noun: 'conversation',
      id: null,
      name,
      method: 'POST',
      path: '/api/v1/conversations',
      body: { subject: name },
      idempotencyKey: name,
      leaves: () => ({ name, holds: null, isClosed: false }),
      isDoneIn: (found) => found?.name === name,
      note: ({ id }) => {
        if (!this.#conversations.includes(id)) this.#conversations.push(id);
      },
    };
  }

  #closeConversation(id: number): Act {
    const closed = { ...this.#thing('conversation', id), isClosed: true };
    return {
      ...this.#change('conversation', id),
      method: 'POST',
      path: `/api/v1/conversations/${id}/close`,
      leaves: () => closed,
      isDoneIn: (found) => found?.isClosed === true,
      note: () => remove(this.#conversations, id),
    };
  }

  /**
   * Some messages have a few words, and some have many pages, which are stored and logged
   * differently.
   */
  #createMessage(conversation: number): Act {
    const marker = uniqueName();
    const text = `${marker} ${randomBytes(pick([15, 60, 600, 12_000]) ?? 15).toString('base64')}`;
    return {
      noun: 'message',
      id: null,
      name: text,
      method: 'POST',
      path: `/api/v1/conversations/${conversation}/messages`,
      body: { author: 'contact', text },
      idempotencyKey: marker,
      leaves: () => ({ name: text, holds: conversation, isClosed: false }),
      isDoneIn: (found) => found?.name === text,
      note: () => undefined,
    };
  }

  #change(noun: Noun, id: number) {
    return { noun, id, name: this.#thing(noun, id).name };
  }

  #thing(noun: Noun, id: number): Thing {
    const thing = this.#expected.get(`${noun} ${id}`);
    if (!thing) throw new Error(`nothing is known of ${noun} ${id}`);
    return thing;
  }
}

function digestOf(token: string): string {
  return digestToken(token).toString('hex');
}

function uniqueName(): string {
  return randomBytes(9).toString('base64url');
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : items[randomInt(items.length)];
}

function remove(ids: number[], id: number): void {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
}
