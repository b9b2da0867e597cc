import { CrashActs } from './crash-acts.ts';
import type { Act, ResponseData } from './crash-acts.ts';
import { Unreachable, send, statusOf } from './crash-calls.ts';
import { describeThing } from './stored-state.ts';
import type { State, Thing, ThingId } from './stored-state.ts';

/** A client that writes until the service has died, one call at a time. */
export class CrashClient {
  /** The call that got no response because the service died. */
  inProgress: Act | null = null;
  readonly #expected: State;
  readonly #token: string;
  readonly acts: CrashActs;
  #lastIdempotent: { act: Act; text: string } | null = null;

  constructor(expected: State, token: string) {
    this.#expected = expected;
    this.#token = token;
    this.acts = new CrashActs(expected);
  }

  /**
   * Writes until the service no longer responds, and returns the error that showed it.
   * @throws if the service refuses a call
   */
  async write(origin: string, onResponse: () => void): Promise<Unreachable> {
    for (;;) {
      this.inProgress = this.acts.choose();
      try {
        await this.perform(origin, this.inProgress);
      } catch (error) {
        if (error instanceof Unreachable) return error;
        throw error;
      }
      this.inProgress = null;
      onResponse();
    }
  }

  /** Makes a call, and records its response once it was read completely. */
  async perform(origin: string, act: Act): Promise<ResponseData> {
    const text = await this.#call(origin, act);
    const { data } = (text === '' ? { data: {} } : JSON.parse(text)) as { data: ResponseData };
    const id = act.id ?? data.id;
    this.#remember(`${act.noun} ${id}`, act.leaves(data));
    act.note({ id, token: data.token ?? null });
    if (act.idempotencyKey !== undefined) this.#lastIdempotent = { act, text };
    return data;
  }

  /** Whether the call in progress was executed. If so, its result must be stored from now on. */
  settle(found: State): boolean {
    const act = this.inProgress;
    if (act === null) return false;
    const id = act.id === null ? this.#findMade(found, act) : (`${act.noun} ${act.id}` as const);
    if (id === null) return false;
    const is = found.get(id);
    if (describeThing(is) === describeThing(this.#expected.get(id)) || !act.isDoneIn(is))
      return false;
    this.#remember(id, is ?? null);
    act.note({ id: numberOf(id), token: null });
    return true;
  }

  async wrongResponses(origin: string): Promise<string[]> {
    const wrong: string[] = [];
    const inProgress = this.inProgress;
    if (inProgress?.idempotencyKey !== undefined) {
      const before = this.#findMade(this.#expected, inProgress);
      const { id } = await this.perform(origin, inProgress);
      if (before !== null && numberOf(before) !== id) {
        wrong.push(`${before} was made again as ${id}`);
      }
    }
    this.inProgress = null;
    if (this.#lastIdempotent) {
      const { act, text } = this.#lastIdempotent;
      if ((await this.#call(origin, act)) !== text) wrong.push(`${act.name} gets another response`);
    }
    for (const [id, token] of this.acts.tokens) {
      if (token === null) continue;
      const opened = await statusOf(origin, token);
      if (opened !== 200) wrong.push(`the newest token of key ${id} gets ${opened}`);
    }
    for (const token of this.acts.ended) {
      const opened = await statusOf(origin, token);
      if (opened !== 401) wrong.push(`an ended token gets ${opened}`);
    }
    this.acts.ended.clear();
    return wrong;
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
      throw new Error(`${act.method} ${act.path} gets ${status} ${text}`);
    }
    return text;
  }
}

function numberOf(id: ThingId): number {
  return Number(id.split(' ')[1]);
}
