import { randomBytes, randomInt } from 'node:crypto';
import { digestToken } from '../../domain/api-keys/token.ts';
import type { Noun, State, Thing, ThingId } from './stored-state.ts';

const clientCount = 8;

/**
 * Clients that write to a service over HTTP until it is gone, and that remember every answer they
 * have read whole. Each works on things of its own, one call at a time, so when the service dies
 * each has at most one call of which it does not know whether it acted.
 */
export class CrashLoad {
  /** What every acknowledged answer together says must be there. */
  readonly expected: State = new Map();
  readonly counts = { acknowledged: 0, unanswered: 0, unansweredActed: 0 };
  readonly #clients: Client[] = [];

  /** Makes each client its own key. */
  async prepare(origin: string, rootToken: string): Promise<void> {
    const root = new Client(this.expected, rootToken);
    for (let made = 0; made < clientCount; made += 1) {
      const act = root.createKey();
      const data = await root.perform(origin, act);
      this.#clients.push(new Client(this.expected, data.token));
    }
  }

  /**
   * Lets all clients write. `reached` resolves with the given number of acknowledged answers; from
   * then on the service may vanish, after which `ended` resolves.
   */
  begin(origin: string, answers: number): { reached: Promise<void>; ended: Promise<void> } {
    const reached = Promise.withResolvers<void>();
    let acknowledged = 0;
    const onAnswer = () => {
      acknowledged += 1;
      this.counts.acknowledged += 1;
      if (acknowledged === answers) reached.resolve();
    };
    const write = async (client: Client) => {
      const reason = await client.write(origin, onAnswer);
      if (acknowledged < answers) throw reason;
    };
    const ended = Promise.all(this.#clients.map(write)).then(() => undefined);
    ended.catch(reached.reject);
    return { reached: reached.promise, ended };
  }

  /** Decides by what was found whether each unanswered call acted, which it may have, once. */
  settle(found: State): void {
    for (const client of this.#clients) {
      if (client.unanswered === null) continue;
      this.counts.unanswered += 1;
      if (client.settle(found)) this.counts.unansweredActed += 1;
    }
  }

  /** Where what was found is not what must be there: nothing less and nothing more. */
  differences(found: State): string[] {
    const ids = new Set([...this.expected.keys(), ...found.keys()]);
    return [...ids].flatMap((id) => {
      const [wanted, is] = [brief(this.expected.get(id)), brief(found.get(id))];
      return wanted === is ? [] : [`${id} must be ${wanted}, is ${is}`];
    });
  }

  /** What a restarted service answers wrongly about what the clients know of it. */
  async wrongAnswers(origin: string): Promise<string[]> {
    const wrong = await Promise.all(this.#clients.map((client) => client.wrongAnswers(origin)));
    return wrong.flat();
  }
}

type Answered = {
  id: number;
  name: string;
  token: string;
  secret: string;
};

type Act = {
  noun: Noun;
  /** Null for an act that makes a thing, whose `name` no other thing has. */
  id: number | null;
  name: string;
  method: string;
  path: string;
  body?: unknown;
  idempotencyKey?: string;
  /** The thing as the act leaves it, told by its answer; null if it removes the thing. */
  leaves: (data: Answered) => Thing | null;
  /** Whether this, found after the crash instead of what was there before, is the act's doing. */
  isDoneIn: (found: Thing | undefined) => boolean;
  /** What the client notes once the act is known to be done; no token if the answer was lost. */
  note: (done: { id: number; token: string | null }) => void;
};

class Client {
  /** The call that the service's end left without an answer. */
  unanswered: Act | null = null;
  readonly #expected: State;
  readonly #token: string;
  readonly #keys: number[] = [];
  readonly #webhooks: number[] = [];
  readonly #conversations: number[] = [];
  /** Tokens as far as known, and those that must not open anything any more; since the last check. */
  readonly #tokens = new Map<number, string | null>();
  readonly #ended = new Set<string>();
  #lastIdempotent: { act: Act; text: string } | null = null;

  constructor(expected: State, token: string) {
    this.#expected = expected;
    this.#token = token;
  }

  /** Writes until the service no longer answers, and says how that showed. @throws if it refuses a call. */
  async write(origin: string, onAnswer: () => void): Promise<Unreachable> {
    for (;;) {
      this.unanswered = this.#choose();
      try {
        await this.perform(origin, this.unanswered);
      } catch (error) {
        if (error instanceof Unreachable) return error;
        throw error;
      }
      this.unanswered = null;
      onAnswer();
    }
  }

  /** Calls, and remembers the answer once it is read whole. */
  async perform(origin: string, act: Act): Promise<Answered> {
    const text = await this.#call(origin, act);
    const { data } = (text === '' ? { data: {} } : JSON.parse(text)) as { data: Answered };
    const id = act.id ?? data.id;
    this.#remember(`${act.noun} ${id}`, act.leaves(data));
    act.note({ id, token: data.token ?? null });
    if (act.idempotencyKey !== undefined) this.#lastIdempotent = { act, text };
    return data;
  }

  /** Whether the unanswered call acted. Then what was found is what must be there from now on. */
  settle(found: State): boolean {
    const act = this.unanswered;
    if (act === null) return false;
    const id = act.id === null ? this.#findMade(found, act) : (`${act.noun} ${act.id}` as const);
    if (id === null) return false;
    const is = found.get(id);
    if (brief(is) === brief(this.#expected.get(id)) || !act.isDoneIn(is)) return false;
    this.#remember(id, is ?? null);
    act.note({ id: numberOf(id), token: null });
    return true;
  }

  async wrongAnswers(origin: string): Promise<string[]> {
    const wrong: string[] = [];
    const unanswered = this.unanswered;
    if (unanswered?.idempotencyKey !== undefined) {
      const before = this.#findMade(this.#expected, unanswered);
      const { id } = await this.perform(origin, unanswered);
      if (before !== null && numberOf(before) !== id) {
        wrong.push(`${before} was made again as ${id}`);
      }
    }
    this.unanswered = null;
    if (this.#lastIdempotent) {
      const { act, text } = this.#lastIdempotent;
      if ((await this.#call(origin, act)) !== text) wrong.push(`${act.name} is answered anew`);
    }
    for (const [id, token] of this.#tokens) {
      if (token === null) continue;
      const opened = await statusOf(origin, token);
      if (opened !== 200) wrong.push(`the newest token of key ${id} is answered ${opened}`);
    }
    for (const token of this.#ended) {
      const opened = await statusOf(origin, token);
      if (opened !== 401) wrong.push(`an ended token is answered ${opened}`);
    }
    this.#ended.clear();
    return wrong;
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
      leaves: ({ token }) => ({ name, holds: digestOf(token), isOver: false }),
      isDoneIn: (found) => found?.name === name && !found.isOver,
      note: ({ id, token }) => {
        this.#keys.push(id);
        this.#tokens.set(id, token);
      },
    };
  }

  #choose(): Act {
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
    const ended = this.#tokens.get(id);
    const grace = pick([0, 3600]);
    return {
      ...this.#change('key', id),
      method: 'POST',
      path: `/api/v1/api-keys/${id}/rotate`,
      body: { grace_period_seconds: grace },
      leaves: ({ token }) => ({ ...before, holds: digestOf(token) }),
      isDoneIn: (found) => found !== undefined && found.holds !== before.holds,
      note: ({ token }) => {
        if (grace === 0 && ended) this.#ended.add(ended);
        this.#tokens.set(id, token);
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
    const revoked = { ...this.#thing('key', id), isOver: true };
    return {
      ...this.#change('key', id),
      method: 'DELETE',
      path: `/api/v1/api-keys/${id}`,
      leaves: () => revoked,
      isDoneIn: (found) => found?.isOver === true,
      note: () => {
        const token = this.#tokens.get(id);
        if (token) this.#ended.add(token);
        this.#tokens.delete(id);
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
      leaves: () => ({ name, holds: null, isOver: false }),
      isDoneIn: (found) => found?.name === name,
      note: ({ id }) => this.#webhooks.push(id),
    };
  }

  #regenerateSecret(id: number): Act {
    const before = this.#thing('webhook', id);
    return {
      ...this.#change('webhook', id),
      method: 'POST',
      path: `/api/v1/webhooks/${id}/regenerate-secret`,
      body: { grace_period_seconds: pick([0, 3600]) },
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
      leaves: () => ({ name, holds: null, isOver: false }),
      isDoneIn: (found) => found?.name === name,
      note: ({ id }) => {
        if (!this.#conversations.includes(id)) this.#conversations.push(id);
      },
    };
  }

  #closeConversation(id: number): Act {
    const closed = { ...this.#thing('conversation', id), isOver: true };
    return {
      ...this.#change('conversation', id),
      method: 'POST',
      path: `/api/v1/conversations/${id}/close`,
      leaves: () => closed,
      isDoneIn: (found) => found?.isOver === true,
      note: () => remove(this.#conversations, id),
    };
  }

  /** Some of a few words, some of many pages, which are stored and logged in another way. */
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
      leaves: () => ({ name: text, holds: conversation, isOver: false }),
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

  #remember(id: ThingId, thing: Thing | null): void {
    if (thing) this.#expected.set(id, thing);
    else this.#expected.delete(id);
  }

  #findMade(state: State, { noun, name }: Act): ThingId | null {
    for (const [id, thing] of state) {
      if (thing.name === name && id.startsWith(`${noun} `)) return id;
    }
    return null;
  }

  async #call(origin: string, act: Act): Promise<string> {
    const { status, text } = await send(origin + act.path, {
      method: act.method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(act.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(act.idempotencyKey !== undefined && { 'Idempotency-Key': act.idempotencyKey }),
      },
      ...(act.body !== undefined && { body: JSON.stringify(act.body) }),
    });
    if (status < 200 || status > 299) {
      throw new Error(`${act.method} ${act.path} is answered ${status} ${text}`);
    }
    return text;
  }
}

/** There was no answer, or not the whole of it. */
class Unreachable extends Error {}

async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new Unreachable(`no answer from ${url}`, { cause: error });
  }
}

async function statusOf(origin: string, token: string): Promise<number> {
  const { status } = await send(`${origin}/api/v1/api-key`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return status;
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

function numberOf(id: ThingId): number {
  return Number(id.split(' ')[1]);
}

function brief(thing: Thing | undefined): string {
  if (!thing) return 'absent';
  const { name, holds, isOver } = thing;
  return `${name.length > 80 ? `${name.slice(0, 20)}… ${digestOf(name)}` : name}, ${holds}, ${isOver ? 'over' : 'open'}`;
}
